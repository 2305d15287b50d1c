import { useAnnounce } from '../../ui/Announcer.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';

interface EventsKeys {
	focusFilter(): void;
	focusRefresh(): void;
	beginBrush(): void;
	exportRows(): void;
	isPeeking: boolean;
	closePeek(): void;
	/** Id of the event under the cursor, or its local key where the service gave none. */
	currentId(): string | undefined;
}

/** What the keys of the map mean on the events screen. */
export function useEventsKeys(keys: EventsKeys): void {
	const announce = useAnnounce();
	const copy = async (id: string) => announce((await writeClipboard(id)) ? 'Id copied' : 'The id could not be copied');
	useKey('list.filter', keys.focusFilter);
	useKey('events.refresh', keys.focusRefresh);
	useKey('events.brush', keys.beginBrush);
	useKey('events.export', keys.exportRows);
	useKey('events.close', keys.closePeek, keys.isPeeking);
	useKey('events.copy', () => {
		const id = keys.currentId();
		if (id === undefined) announce('Move to an event first');
		else void copy(id);
	});
}
