import {Undo2, X} from 'lucide-react'
import {useState} from 'react'

import {formOf} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useActiveConnection} from '#api/hooks.tsx'
import {UndoPreviewDialog} from '#commands/undo/UndoListDialog.tsx'
import {useUi, type HashReceipt} from '#state/ui.tsx'
import {Button, IconButton, Link} from '#ui/Button.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './FileLists.module.css'
import {t} from './text.ts'

interface ReceiptsProps {
	/** Only of this list. */
	list?: string
	/** Only of this hash. */
	sha256?: string
}

/** The latest changes of this window with the service's answers, and a way to undo. */
export function Receipts({list, sha256}: ReceiptsProps) {
	const {id} = useActiveConnection()
	const all = useUi(ui => ui.hashChanges)
	const drop = useUi(ui => ui.dropHashChange)
	const [undoing, setUndoing] = useState<string | null>(null)
	const mine = all.filter(
		({change}) =>
			change.connection === id && (list === undefined || change.list.guid === list) && (sha256 === undefined || change.sha256 === sha256)
	)
	const [newest] = mine
	return (
		<>
			{newest !== undefined && (
				<Receipt
					receipt={newest}
					older={mine.length - 1}
					onUndo={() => setUndoing(newest.change.entry)}
					onDrop={() => drop(newest.change.entry)}
				/>
			)}
			{undoing !== null && <UndoPreviewDialog id={undoing} onClose={() => setUndoing(null)} />}
		</>
	)
}

interface ReceiptProps {
	receipt: HashReceipt
	older: number
	onUndo: () => void
	onDrop: () => void
}

function Receipt({receipt, older, onUndo, onDrop}: ReceiptProps) {
	const {change, message, status, requestId} = receipt
	return (
		<section className={styles.receipt} aria-label={t.resultLast}>
			<p className={styles.receiptText}>
				<b>{message}</b>
				<span className="quiet">
					<Time at={change.at} focusable />
					{status !== null && t.http(status)}
					{requestId !== null && (
						<>
							{' '}
							{t.request} <code>{requestId}</code>
						</>
					)}{' '}
					· <Link href={`/log?entry=${change.entry}`}>{t.incidentLog}</Link>
					{older !== 0 && t.earlierWindow(older, formOf(older, nouns.change))}
				</span>
			</p>
			<Button small onPress={onUndo} opens>
				<Undo2 size={13} aria-hidden />
				{t.undoMore}
			</Button>
			<IconButton label={t.dismissTheResult} small onPress={onDrop}>
				<X size={13} />
			</IconButton>
		</section>
	)
}
