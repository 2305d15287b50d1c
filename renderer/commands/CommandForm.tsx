export function CommandFormDialog(_props: {
  readonly command: string;
  readonly values: Readonly<Record<string, string>>;
}) {
  return null;
}
