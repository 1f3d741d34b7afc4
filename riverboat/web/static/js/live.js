/* Whatever anybody does is on every screen at once: one socket, and patience when it drops. */
import { byId } from "./draw.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const SAY_AFTER = 700;

/**
 * Look at topics (`table/NAME`, `lobby`, `meter/NAME`); every frame is the whole of what is shown.
 * @param {string[]} topics
 * @param {(frame: Floor.Frame) => void} onFrame
 */
export function look(topics, onFrame) {
  const query = topics.map((topic) => `look=${encodeURIComponent(topic)}`).join("&");
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live?${query}`;
  let wait = FIRST_WAIT;
  let over = false;
  let socket = null;
  let telling = 0;
  let retry = 0;

  const open = () => {
    clearTimeout(retry);
    const own = new WebSocket(address);
    socket = own;
    own.addEventListener("message", (event) => {
      if (own !== socket) return;
      wait = FIRST_WAIT;
      clearTimeout(telling);
      telling = 0;
      tell("");
      onFrame(JSON.parse(event.data));
    });
    own.addEventListener("close", () => lost(own));
  };
  const lost = (gone) => {
    if (over || !gone || gone !== socket) return;
    socket = null;
    telling ||= setTimeout(() => tell("Reconnecting… your seat and your chips are kept."), SAY_AFTER);
    retry = setTimeout(open, wait * (0.7 + Math.random() * 0.6));
    wait = Math.min(wait * 1.8, LONGEST_WAIT);
  };
  /* A device that goes offline need not wait until its dead socket is noticed. */
  addEventListener("offline", () => { const gone = socket; lost(gone); gone?.close(); });
  addEventListener("online", () => { if (!socket && !over) open(); });
  addEventListener("pagehide", () => { over = true; socket?.close(); });
  addEventListener("pageshow", (event) => { if (event.persisted) { over = false; open(); } });
  open();
  return () => { over = true; socket?.close(); };
}

function tell(words) {
  const place = byId("connection");
  if (!place) return;
  if (place.textContent !== words) place.textContent = words;
  place.hidden = !words;
}
