/* Drawing the same thing twice changes nothing: elements are made once, by key, then updated. */

const SVG = "http://www.w3.org/2000/svg";

/** An element by its id, of whatever kind the template made it. @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) set(element, name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function set(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
}

/** SVG from our own constants only; nothing that a person wrote is ever put in here. */
export function svg(viewBox, inside, cls) {
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("viewBox", viewBox);
  element.setAttribute("class", cls);
  element.setAttribute("aria-hidden", "true");
  element.setAttribute("focusable", "false");
  element.innerHTML = inside;
  return element;
}

/** The child of `parent` with this key, made when it is not there yet. */
export function keyed(parent, key, maker) {
  for (const child of parent.children) if (child.dataset.key === key) return child;
  const child = maker();
  child.dataset.key = key;
  parent.append(child);
  return child;
}

/** Leave only these keys, in this order, moving no element that stands where it should. */
export function settle(parent, keys) {
  const wanted = new Set(keys);
  for (const child of [...parent.children]) if (!wanted.has(child.dataset.key)) child.remove();
  keys.forEach((key, place) => {
    const there = parent.children[place];
    if (there && there.dataset.key === key) return;
    for (const child of parent.children) {
      if (child.dataset.key === key) { parent.insertBefore(child, there ?? null); break; }
    }
  });
}

export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function label(element, text) {
  if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
}

/** A name of a rulebook's own as a title: `island_stud` is Island Stud. */
export function titled(name) {
  return name.replaceAll("_", " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
