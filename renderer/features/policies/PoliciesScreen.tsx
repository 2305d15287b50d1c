export function PoliciesScreen() {
  return null;
}
