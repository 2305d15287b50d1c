import { RefreshCw } from 'lucide-react';
import type { Ref } from 'react';

import type { FileListRow } from '#shared/contract/directory.ts';
import { counted } from '#shared/text/numbers.ts';
import { nouns } from '#shared/text/terms.ts';

import { useWriteRefusal } from '../../api/active.tsx';
import { Button } from '../../ui/Button.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { Time } from '../../ui/Time.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import { t } from './text.ts';
import type { ItemsReading } from './use-lists.ts';
import styles from './FileLists.module.css';
import { callWords, countWords, coveredWords, itemsKnown, kindWords, readCalls } from './words.ts';

interface ListBarProps {
	readonly list: FileListRow;
	readonly computers: number | null;
	readonly reading: ItemsReading;
	readonly refreshButton: Ref<HTMLButtonElement>;
	readonly onAdd: () => void;
	readonly onEdit: () => void;
	readonly onExport: () => void;
}

/** Name, kind, how much of it is known and how old that is, where it is enforced, and what can be done. */
export function ListBar({ list, computers, reading, refreshButton, onAdd, onEdit, onExport }: ListBarProps) {
	const lock = useWriteRefusal();
	const gone = list.vanishedAt === null ? null : 'This list was deleted elsewhere.';
	return (
		<>
			<ScreenBar
				within={{ list: 'File lists', href: '/file-lists' }}
				title={list.name}
				facts={kindWords(list.type).one}
			>
				<Button onPress={onExport} aria-haspopup="dialog" reason={list.itemsRead.at === null ? notRead : null}>
					{t.exportMore} <KeyCap keys="e" />
				</Button>
				<Button
					ref={refreshButton}
					onPress={reading.read}
					reason={reading.isReading ? t.loadingTheHashes : gone}
					tooltip={t.refreshesAll}
				>
					<RefreshCw size={13} aria-hidden="true" />
					{itemsKnown(list) === 'never' ? t.loadTheHashes : t.refresh} · {callWords(readCalls(list))}
				</Button>
				<Button onPress={onEdit} reason={gone} tooltip={t.stageManyHashes}>
					{t.edit} <KeyCap keys="E" />
				</Button>
				<Button tone="primary" onPress={onAdd} lock={lock} reason={gone} aria-haspopup="dialog">
					{t.addAHash} <KeyCap keys="a" />
				</Button>
			</ScreenBar>
			<p className={styles['facts']}>
				<Facts list={list} computers={computers} reading={reading} />
			</p>
		</>
	);
}

const notRead = 'The hashes have not been loaded yet.';

function Facts({ list, computers, reading }: Pick<ListBarProps, 'list' | 'computers' | 'reading'>) {
	const { policies, itemsRead, covered } = list;
	return (
		<>
			{t.hashesOf(countWords(list))}
			{reading.isReading ? <span role="status"> {t.loadingPage}</span> : null}
			{reading.isReading || itemsRead.at === null ? null : (
				<>
					{' '}
					{t.loadedTitle} <Time at={itemsRead.at} focusable />
				</>
			)}{' '}
			{t.enforcedOnOf(
				policies === null ? t.policiesNot : policyCount(policies.length),
				coveredWords(covered, computers),
				covered === null || computers === null ? '' : t.computersTitle,
			)}
		</>
	);
}

function policyCount(count: number): string {
	if (count === 0) return 'used by no policy';
	return `used by ${counted(count, nouns.policy)}`;
}
