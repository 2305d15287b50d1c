export type Sought<T> = T | undefined | false | null;

/** Resolves with what `look` finds, looking again after each turn of the event loop. Rejects when it takes longer than 10 s of real time. */
export async function until<T>(what: string, look: () => Sought<T> | Promise<Sought<T>>): Promise<T> {
  const end = performance.now() + 10_000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() > end) throw new Error(`It did not happen: ${what}.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
