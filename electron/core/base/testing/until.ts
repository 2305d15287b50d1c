/** Resolves with what `look` finds, looking again after each turn of the event loop. Rejects when it takes longer than 10 s of real time. */
export async function until<T>(what: string, look: () => T | undefined | false | null): Promise<T> {
  const end = performance.now() + 10_000;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() > end) throw new Error(`It did not happen: ${what}.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
