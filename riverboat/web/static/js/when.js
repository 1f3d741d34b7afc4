/* Dates and times, on every page in one form: 16 Nov 2026, 05:34. */
import { make } from "./draw.js";

/** @type {Intl.DateTimeFormatOptions} */
const DATE = { day: "numeric", month: "short", year: "numeric" };
/** @type {Intl.DateTimeFormatOptions} */
const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const moment = new Intl.DateTimeFormat("en-GB", { ...DATE, ...TIME });
const second = new Intl.DateTimeFormat("en-GB", { ...TIME, second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { ...DATE, timeZone: "UTC" });

/** A moment of the record, from its seconds: 16 Nov 2026, 05:34. */
export const when = (seconds) => moment.format(seconds * 1000);

/** The time of day alone, where the date is known: 05:34:12. */
export const timeOfDay = (seconds) => second.format(seconds * 1000);

/** The same as an element that also tells its second to whoever wants to know. */
export const whenElement = (seconds) => make("time", { datetime: new Date(seconds * 1000).toISOString(), title: timeOfDay(seconds) }, when(seconds));

/** A gaming day, which is a date and no moment; what follows the date stays: 16 Nov 2026 (2). */
export function gamingDay(name) {
  const found = /^(\d{4}-\d{2}-\d{2})(.*)$/.exec(name ?? "");
  return found ? day.format(new Date(`${found[1]}T00:00:00Z`)) + found[2] : (name ?? "");
}
