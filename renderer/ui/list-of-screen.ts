/** The first list of rows on the screen: what its keys move in. `null` where it has none. */
export function listOfScreen(screen: Element | null): HTMLElement | null {
  return screen?.querySelector<HTMLElement>(':is([role="grid"], [role="treegrid"])[tabindex="0"]') ?? null;
}
