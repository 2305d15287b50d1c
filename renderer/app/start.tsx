import '../ui/tokens.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { createApi } from '../api/client.ts';
import { openWire } from '../api/wire.ts';
import { createUiStore } from '../state/ui.tsx';
import { createPageClock } from '../ui/Clock.tsx';
import { revealCutWords } from '../ui/cut-words.ts';
import { App } from './App.tsx';
import { createAppRouter } from './router.tsx';

/** Builds the page from its parts and shows it. */
export function start(): void {
	const root = document.getElementById('root');
	if (root === null) throw new Error('index.html has no root element.');
	const api = createApi(openWire());
	const store = createUiStore();
	const clock = createPageClock();
	const router = createAppRouter();
	window.addEventListener('pagehide', () => api.close());
	revealCutWords(document);
	createRoot(root).render(
		<StrictMode>
			<App api={api} store={store} clock={clock} router={router} />
		</StrictMode>,
	);
}
