export function Palette(_props: { readonly onClose: () => void }) {
  return null;
}
