import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RouterProvider as AriaRouterProvider } from 'react-aria-components';

import { ApiProvider } from '../api/ApiProvider.tsx';
import type { Api } from '../api/client.ts';
import { useSettings } from '../api/hooks.ts';
import { UiProvider, type UiStore } from '../state/ui.tsx';
import { Announcer } from '../ui/Announcer.tsx';
import { ClockProvider, type PageClock } from '../ui/Clock.tsx';
import { ChosenKeysProvider } from '../ui/keys/ChosenKeys.tsx';
import { rowHeightOf, RowHeightProvider } from '../ui/RowHeight.tsx';
import { SingleKeysProvider } from '../ui/SingleKeys.tsx';
import type { AppRouter } from './router.tsx';
import { useLook } from './theme.ts';

interface AppProps {
	readonly api: Api;
	readonly store: UiStore;
	readonly clock: PageClock;
	readonly router: AppRouter;
}

export function App({ api, store, clock, router }: AppProps) {
	return (
		<ApiProvider api={api}>
			<UiProvider store={store}>
				<Preferences clock={clock}>
					<Announcer>
						<AriaRouterProvider navigate={(path) => router.history.push(path)} useHref={(path) => `#${path}`}>
							<RouterProvider router={router} />
						</AriaRouterProvider>
					</Announcer>
				</Preferences>
			</UiProvider>
		</ApiProvider>
	);
}

/** What a person set for this profile, handed to the kit. */
function Preferences({ clock, children }: { readonly clock: PageClock; readonly children: ReactNode }) {
	const settings = useSettings();
	useLook(settings);
	return (
		<ClockProvider clock={clock} zone={settings.timeZone} clockForm={settings.clockForm} dateForm={settings.dateForm}>
			<SingleKeysProvider value={settings.singleKeys}>
				<ChosenKeysProvider value={settings.keys}>
					<RowHeightProvider value={rowHeightOf(settings)}>{children}</RowHeightProvider>
				</ChosenKeysProvider>
			</SingleKeysProvider>
		</ClockProvider>
	);
}
