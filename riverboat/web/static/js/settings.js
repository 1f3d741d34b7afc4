/* What a visitor chooses about the page itself; kept in this browser only. */
const KEY = "riverboat.";

export function setting(name) {
  try { return localStorage.getItem(KEY + name) ?? ""; } catch { return ""; }
}

export function isOn(name) {
  return setting(name) === "on";
}

function keep(name, value) {
  try { localStorage.setItem(KEY + name, value); } catch { /* a private window keeps nothing */ }
  dispatchEvent(new CustomEvent("riverboat-settings", { detail: { name, value } }));
}

export function onSettings(told) {
  addEventListener("riverboat-settings", (event) => told(event.detail));
}

export function isStill() {
  return isOn("still") || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function wire() {
  const sheet = document.getElementById("settings");
  const opener = document.getElementById("settings-open");
  if (!sheet || !opener) return;
  for (const input of document.querySelectorAll("[data-setting]")) {
    const name = input.dataset.setting;
    if (input.type === "checkbox") {
      input.checked = isOn(name);
      input.addEventListener("change", () => keep(name, input.checked ? "on" : "off"));
      onSettings(() => { input.checked = isOn(name); });
    } else {
      input.value = setting(name) || "auto";
      input.addEventListener("change", () => keep(name, input.value));
    }
  }
  opener.addEventListener("click", () => sheet.showModal());
  sheet.addEventListener("click", (event) => { if (event.target === sheet) sheet.close(); });
}

wire();
