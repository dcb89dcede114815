/** Keeps the phone's screen on, if the browser allows it. */
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let gone = false;
  const ask = async () => {
    if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      const given = await navigator.wakeLock.request("screen");
      if (gone) void given.release();
      else lock = given;
    } catch {
      // low battery, or forbidden: the screen goes dark, and the game stays
    }
  };
  void ask();
  document.addEventListener("visibilitychange", ask);
  return () => {
    gone = true;
    document.removeEventListener("visibilitychange", ask);
    void lock?.release();
  };
}
