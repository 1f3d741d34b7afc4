/* Digits on wheels: each turns with the one to its right, as in a machine. */
import { dollars } from "./money.js";
import { make } from "./draw.js";
import { isStill } from "./settings.js";

const TURN_MS = 1400;
const LEAST_DIGITS = 6;

const ease = (t) => 1 - (1 - t) ** 3;

/** How far each wheel has turned, in digits, from the cents' own up. */
function turns(value, count) {
  const found = [];
  let carried = value - Math.floor(value);
  for (let place = 0; place < count; place += 1) {
    const whole = Math.floor(value / 10 ** place);
    const digit = whole % 10;
    found.push(digit + (place === 0 ? value - Math.floor(value) : carried));
    carried = digit === 9 ? carried : 0;
  }
  return found;
}

function wheel() {
  const strip = make("span", { class: "wheel-strip" });
  for (let digit = 0; digit <= 10; digit += 1) strip.append(make("span", {}, String(digit % 10)));
  return make("span", { class: "wheel" }, strip);
}

/** An odometer in `place`; `show(cents)` rolls up to an amount; the first one, a smaller one
 * and one that is not a growing meter's (`roll: false`) stand there at once. */
export function odometer(place, least = LEAST_DIGITS) {
  const face = make("span", { class: "odometer", "aria-hidden": "true" });
  const read = make("span", { class: "unseen" });
  place.replaceChildren(face, read);
  let wheels = [];
  let now = null;
  let target = null;
  let frame = 0;

  const build = (count) => {
    wheels = Array.from({ length: count }, wheel);
    const parts = [make("span", { class: "odometer-sign" }, "$")];
    wheels.forEach((one, index) => {
      const left = count - index - 3;
      parts.push(one);
      if (left === 0) parts.push(make("span", { class: "odometer-point" }, "."));
      else if (left > 0 && left % 3 === 0) parts.push(make("span", { class: "odometer-comma" }, ","));
    });
    face.replaceChildren(...parts);
    face.style.setProperty("--wheels", String(count));
    face.dataset.wheels = count;
  };

  const turn = (value) => {
    const count = Math.max(least, String(Math.floor(value)).length);
    if (wheels.length !== count) build(count);
    const found = turns(value, count);
    wheels.forEach((one, index) => {
      one.firstElementChild.style.transform = `translateY(${-(found[count - 1 - index] % 10) * (100 / 11)}%)`;
    });
    now = value;
  };

  const show = (cents, { roll = true } = {}) => {
    if (cents === target) return;
    target = cents;
    read.textContent = cents === null ? "" : dollars(cents);
    cancelAnimationFrame(frame);
    if (cents === null) return;
    if (now === null || !roll || isStill() || cents < now || document.hidden) { turn(cents); return; }
    const from = now;
    const began = performance.now();
    const step = (at) => {
      const part = Math.min(1, (at - began) / TURN_MS);
      turn(part === 1 ? cents : from + (cents - from) * ease(part));
      if (part < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  };
  return { show };
}
