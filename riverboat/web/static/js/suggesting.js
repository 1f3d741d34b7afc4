/* A password to hand over: letters that are not mistaken for one another, in groups to be read out. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 4;
const EACH = 4;

/** By lot, every letter as likely as any other: bytes beyond the last whole set are thrown away. */
function letter() {
  const most = 256 - (256 % LETTERS.length);
  for (;;) {
    const [drawn] = crypto.getRandomValues(new Uint8Array(1));
    if (drawn < most) return LETTERS[drawn % LETTERS.length];
  }
}

export function suggested() {
  return Array.from({ length: GROUPS }, () => Array.from({ length: EACH }, letter).join("")).join("-");
}
