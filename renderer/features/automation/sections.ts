import type { ComponentType } from 'react';

import { ApiReference } from './ApiReference.tsx';
import { LocalApi } from './LocalApi.tsx';
import { Streams } from './Streams.tsx';
import { Targets } from './Targets.tsx';
import { t } from './text.ts';
import { Assistants, Tokens } from './Tokens.tsx';

/** The parts of the screen, in their order: another one is a component and a line here. */
export const sections: readonly { readonly title: string; readonly Part: ComponentType }[] = [
	{ title: t.eventStream, Part: Streams },
	{ title: t.targets, Part: Targets },
	{ title: t.localApi, Part: LocalApi },
	{ title: t.tokens, Part: Tokens },
	{ title: t.assistants, Part: Assistants },
	{ title: t.apiReference, Part: ApiReference },
];
