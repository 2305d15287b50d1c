import { openDatabase } from '../../electron/core/store/database.ts'; // expect: cordon(imports)
import { useConnections } from '../api/hooks.tsx'; // expect: cordon(imports)
import { readFileSync } from 'node:fs'; // expect: cordon(imports)
export function Html(props: { html: string }): React.JSX.Element {
  const raw = { dangerouslySetInnerHTML: { __html: props.html } }; // expect: cordon(privilege)
  return <i {...raw} dangerouslySetInnerHTML={{ __html: props.html }} />; // expect: cordon(privilege) react(no-danger)
}
export function write(element: Element, html: string) {
  element.innerHTML = html; // expect: cordon(privilege)
  element['outerHTML'] = html; // expect: cordon(privilege)
  element.insertAdjacentHTML('beforeend', html); // expect: cordon(privilege)
}
export const used = [openDatabase, useConnections, readFileSync];
