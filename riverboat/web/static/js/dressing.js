/* Before anything is drawn: the visitor's own colours and motion, so that nothing flashes. */
(() => {
  const root = document.documentElement;
  const kept = (name) => {
    try { return localStorage.getItem(`riverboat.${name}`) ?? ""; } catch { return ""; }
  };
  const dark = matchMedia("(prefers-color-scheme: light)");
  const dress = () => {
    const theme = kept("theme") || "auto";
    root.dataset.theme = theme;
    root.dataset.lit = theme === "auto" ? (dark.matches ? "light" : "dark") : theme;
    root.dataset.suits = kept("suits") === "on" ? "four" : "two";
    root.dataset.still = kept("still") === "on" ? "yes" : "no";
  };
  dress();
  dark.addEventListener("change", dress);
  addEventListener("riverboat-settings", dress);
})();
