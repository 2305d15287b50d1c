export function Drawer() {
  return null;
}
