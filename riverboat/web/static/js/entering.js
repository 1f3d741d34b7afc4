/* Before anything live is shown one has to be in: with an account, or as a visitor. */
import { get, post } from "./ask.js";

/** Who this is; a visitor is let in, and whoever may not visit is led to the sign-in. */
export async function enter() {
  const me = await get("/api/me");
  if (me.must_change) return toSignIn();
  if (me.name) return me;
  try {
    return await post("/api/visit");
  } catch (problem) {
    if (["network", "tries.many"].includes(problem.code)) throw problem;
    return toSignIn();
  }
}

function toSignIn() {
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
  return new Promise(() => {});
}
