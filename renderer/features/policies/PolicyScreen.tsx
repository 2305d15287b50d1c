export function PolicyScreen() {
  return null;
}
