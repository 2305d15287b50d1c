import { useNavigate, useRouter } from '@tanstack/react-router';

import { useActiveConnectionOrNull } from '../api/active.tsx';
import { useUi } from '../state/ui.tsx';
import { useKey } from '../ui/keys/KeyRegistry.tsx';
import { useSetLocked } from './use-set-locked.ts';

/** The keys that work on every screen. */
export function GlobalKeys() {
	const navigate = useNavigate();
	const { history } = useRouter();
	const connection = useActiveConnectionOrNull();
	const setOverlay = useUi((ui) => ui.setOverlay);
	const setDrawer = useUi((ui) => ui.setDrawer);
	const lock = useSetLocked();
	useKey('global.palette', () => setOverlay('palette'));
	useKey('global.commandLine', () => setDrawer(true));
	useKey('global.keys', () => setOverlay('keys'));
	useKey('global.settings', () => void navigate({ to: '/settings' }));
	useKey('global.switch', () => setOverlay('connection'));
	useKey('global.lock', () => lock.set(true), connection !== null);
	useKey('global.back', () => history.back());
	useKey('global.forward', () => history.forward());
	useKey('global.search', () => void navigate({ to: '/search', search: {} }));
	useKey('goto.overview', () => void navigate({ to: '/overview' }));
	useKey('goto.computers', () => void navigate({ to: '/computers' }));
	useKey('goto.events', () => void navigate({ to: '/events' }));
	useKey('goto.groups', () => void navigate({ to: '/groups' }));
	useKey('goto.policies', () => void navigate({ to: '/policies' }));
	useKey('goto.fileLists', () => void navigate({ to: '/file-lists' }));
	useKey('goto.log', () => void navigate({ to: '/log' }));
	useKey('goto.instances', () => void navigate({ to: '/instances' }));
	useKey('goto.playbooks', () => void navigate({ to: '/playbooks' }));
	useKey('goto.automation', () => void navigate({ to: '/automation' }));
	useKey('goto.connections', () => void navigate({ to: '/connections' }));
	useKey('goto.settings', () => void navigate({ to: '/settings' }));
	useKey('goto.commandLine', () => void navigate({ to: '/command-line' }));
	useKey('goto.jobs', () => void navigate({ to: '/jobs', search: {} }));
	useKey('global.undo', () => setOverlay('undo'), connection !== null);
	useKey('global.notices', () => setOverlay('notices'));
	return null;
}
