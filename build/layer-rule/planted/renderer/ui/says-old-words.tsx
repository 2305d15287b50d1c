export function Old(props: { label: string }): React.JSX.Element {
  const note = `${props.label}: nobody knows what is there`; // expect: cordon(words)
  const again = ['It is being written.', 'Read again']; // expect: cordon(words) cordon(words)
  return (
    <p title={again.join(note)}>Made on this machine</p> // expect: cordon(words) cordon(prose)
  );
}
export const kept = { 'hand-over': 'virtual machines', name: 'somebody' };
