import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';

import { ActiveConnectionProvider } from '../api/active.tsx';
import { useUi } from '../state/ui.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { KeyRegistry } from '../ui/keys/KeyRegistry.tsx';
import { SkeletonLines } from '../ui/Skeleton.tsx';
import { ScrollbackProvider } from '../commands/Scrollback.tsx';
import { Banners, Telling } from './Banners.tsx';
import { BottomLine } from './BottomLine.tsx';
import { connectionTitle } from '../ui/connection-words.ts';
import styles from './Frame.module.css';
import { GlobalKeys } from './GlobalKeys.tsx';
import { HostLost } from './HostLost.tsx';
import { NavBar } from './NavBar.tsx';
import { Overlays } from './Overlays.tsx';
import { t } from './text.ts';
import { useConnectionColour } from './theme.ts';
import { TopBar } from './TopBar.tsx';
import { useActiveChoice } from './use-active.ts';
import { useFocusKept } from './use-focus-kept.ts';

const FirstStart = lazy(async () => ({
	default: (await import('../features/connections/FirstStartScreen.tsx')).FirstStartScreen,
}));
const Drawer = lazy(async () => ({ default: (await import('../commands/Drawer.tsx')).Drawer }));

/** What surrounds every screen. */
export function Frame() {
	const choice = useActiveChoice();
	const connection = choice.connection ?? null;
	useConnectionColour(connection?.colour ?? null);
	useFocusKept();
	useCommandOfTenant(connection?.id);
	useEffect(() => {
		document.title = connection === null ? 'Cordon' : `${connectionTitle(connection)} · Cordon`;
	}, [connection]);
	return (
		<ActiveConnectionProvider value={connection}>
			<KeyRegistry>
				<div className={styles['app']}>
					<a className={styles['skip']} href="#main" onClick={skip}>
						{t.skipScreen}
					</a>
					<TopBar />
					<NavBar />
					<ScrollbackProvider key={connection?.id ?? 'none'}>
						<main id="main" tabIndex={-1} className={styles['main']}>
							<Telling>
								<Banners />
								<Screen choice={choice.connection} />
							</Telling>
						</main>
					</ScrollbackProvider>
					<Suspense>
						<Drawer />
					</Suspense>
					<BottomLine />
				</div>
				<GlobalKeys />
				<Overlays choice={choice} />
				<HostLost />
			</KeyRegistry>
		</ActiveConnectionProvider>
	);
}

/** The command in the bottom line is of this tenant: a switch clears it. */
function useCommandOfTenant(id: string | undefined): void {
	const setLastCommand = useUi((ui) => ui.setLastCommand);
	useEffect(() => () => setLastCommand(null), [id, setLastCommand]);
}

function Screen({ choice }: { readonly choice: ReturnType<typeof useActiveChoice>['connection'] }) {
	const path = useRouterState({ select: (state) => state.location.pathname });
	if (choice === undefined) {
		return (
			<div className={styles['waiting']}>
				<SkeletonLines lines={6} label={t.connectingCordon} />
			</div>
		);
	}
	const needsConnection = ['/overview', '/command-line', '/computers', '/groups', '/policies', '/file-lists'].some(
		(screen) => path.startsWith(screen),
	);
	return (
		// Screens of one connection never show another's rows: a switch makes them anew.
		<ErrorBoundary title={t.thisScreenFailed} resetKey={`${choice?.id ?? ''} ${path}`}>
			<div key={choice?.id ?? 'none'} className={styles['screen']}>
				<Suspense fallback={<div className={styles['waiting']} />}>
					{choice === null && needsConnection ? <FirstStart /> : <Outlet />}
				</Suspense>
			</div>
		</ErrorBoundary>
	);
}

/** The address belongs to the router, so the anchor must not change it. */
function skip(event: { preventDefault(): void }): void {
	event.preventDefault();
	document.getElementById('main')?.focus();
}
