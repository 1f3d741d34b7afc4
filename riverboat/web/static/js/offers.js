/* What somebody is offered at a table: a page draws the buttons of what is on offer, and no others. */

/** @param {Floor.Bounds} bounds @param {any} value */
function holds(bounds, value) {
  if (!bounds) return false;
  if (bounds.values) return bounds.values.includes(value);
  if (!("unit" in bounds)) return true;
  return (bounds.minimum === null || value >= bounds.minimum) && (bounds.maximum === null || value <= bounds.maximum);
}

/** The offer that an action is within, by what is said of it so far; nothing where there is none.
    @param {Floor.Offered[]} offers @param {{ do: string, [argument: string]: any }} given */
export function offerOf(offers, { do: asked, ...said }) {
  return offers?.find((one) => one.do === asked && Object.entries(said).every(([name, value]) => holds(one.arguments[name], value)));
}

/** @param {Floor.Offered[]} offers @param {{ do: string, [argument: string]: any }} action */
export const isOffered = (offers, action) => Boolean(offerOf(offers, action));
