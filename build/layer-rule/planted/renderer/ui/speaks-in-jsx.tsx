import type { JSX } from 'react';
export function Spoken(props: { readonly name: string }): JSX.Element {
  return <p className="some-look" title={props.name}>{props.name}: not shared</p>; // expect: cordon(prose)
}
