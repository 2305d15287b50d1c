import type { JSX } from 'react';
export function Spoken({ name, shared }: { name: string; shared: boolean }): JSX.Element {
  const word = <b>{shared ? 'shared' : null}</b>; // expect: cordon(prose)
  const hint = <i title={name === 'a name' ? `${name} is shared` : undefined} />; // expect: cordon(prose)
  const fine = <i className="some-look" title={name === 'a name' ? name : `${name}: ${word.type}`} />;
  return <p>{word}{hint}{fine}: not shared</p>; // expect: cordon(prose)
}
