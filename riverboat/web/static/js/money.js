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
