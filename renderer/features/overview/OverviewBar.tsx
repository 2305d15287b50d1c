import { RefreshCw } from 'lucide-react';

import type { Overview } from '#shared/contract/sight.ts';
import type { FrameState } from '#shared/model/frame.ts';
import { counted, formatCount } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { Button } from '../../ui/Button.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Time } from '../../ui/Time.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import styles from './OverviewScreen.module.css';
import { t } from './text.ts';
import { useRefreshAll } from './use-refresh-all.ts';

interface OverviewBarProps {
	readonly overview: Overview | undefined;
	readonly frame: FrameState | null;
}

/** How old the parts are, and the one act that asks the service, with its price. */
export function OverviewBar({ overview, frame }: OverviewBarProps) {
	const { name } = useActiveConnection();
	const { isRefreshing, refresh } = useRefreshAll();
	const loading = isRefreshing || frame?.inventory.phase === 'loading';
	const calls = overview?.refreshCalls ?? null;
	useKey('list.refresh', refresh, !loading);
	return (
		<ScreenBar
			title={t.overview}
			facts={
				overview === undefined ? undefined : (
					<>
						{t.ofComputers(name)} <Age at={overview.computersAt} /> {t.eventsTitle} <Age at={overview.eventsAt} />
						{loading ? <Progress frame={frame} /> : null}
					</>
				)
			}
		>
			<Button
				onPress={refresh}
				reason={loading ? t.loadingNow : null}
				tooltip={t.refreshesComputers(calls === null ? '' : t.aboutOf(counted(calls, nouns.call)))}
			>
				<RefreshCw size={13} aria-hidden="true" />
				{t.refresh}
				<span className={styles['price']}>{calls === null ? '' : ` · ${counted(calls, nouns.call)}`}</span>
			</Button>
		</ScreenBar>
	);
}

function Age({ at }: { readonly at: string | null }) {
	if (at === null) return 'not loaded yet';
	return (
		<>
			<Time at={at} form="age" focusable /> {t.old}
		</>
	);
}

function Progress({ frame }: { readonly frame: FrameState | null }) {
	const inventory = frame?.inventory;
	if (inventory?.phase !== 'loading') return ' · reading';
	const pages = inventory.pages === null ? '' : ` of ${formatCount(inventory.pages)}`;
	return ` · reading page ${formatCount(inventory.pagesRead + 1)}${pages}`;
}
