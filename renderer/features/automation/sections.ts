import type { ComponentType } from 'react';

import { Streams } from './Streams.tsx';
import { Targets } from './Targets.tsx';
import { t } from './text.ts';

/** The parts of the screen, in their order: another one is a component and a line here. */
export const sections: readonly { readonly title: string; readonly Part: ComponentType }[] = [
  { title: t.eventStream, Part: Streams },
  { title: t.targets, Part: Targets },
];
