/* Money in words and figures. Everything is whole cents until it is shown. */
const whole = new Intl.NumberFormat("en-US");

export function dollars(cents) {
  const sign = cents < 0 ? "−" : "";
  const size = Math.abs(cents);
  const rest = size % 100;
  const head = `${sign}$${whole.format(Math.floor(size / 100))}`;
  return rest ? `${head}.${String(rest).padStart(2, "0")}` : head;
}

export function signed(cents) {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents);
}

/** An expectation, which is no whole number of cents. */
export function expected(cents) {
  const rounded = Math.round(cents);
  const text = (Math.abs(rounded) / 100).toFixed(2);
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : ""}$${text}`;
}

/** An amount in a column, or that moves by cents: always with them. */
export function toTheCent(cents) {
  const size = Math.abs(cents);
  return `${cents < 0 ? "−" : ""}$${whole.format(Math.floor(size / 100))}.${String(size % 100).padStart(2, "0")}`;
}

/** Meter units, of which ten thousand are a cent; parts of a cent are shown where there are any. */
export function fine(units) {
  const parts = { minimumFractionDigits: 2, maximumFractionDigits: 6 };
  return `${units < 0 ? "−" : ""}$${(Math.abs(units) / 1_000_000).toLocaleString("en-US", parts)}`;
}

/** Whole cents of an amount as people type it; nothing that can be read is 0. */
export function cents(typed) {
  return Math.round(Number(String(typed ?? "").replace(/[$,\s]/g, "")) * 100) || 0;
}
