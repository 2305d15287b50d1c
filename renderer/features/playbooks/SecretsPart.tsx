import {useMutation, useQuery} from '@tanstack/react-query'
import {useState} from 'react'

import {useApi} from '../../api/ApiProvider.tsx'
import {asCordonError} from '../../api/errors.ts'
import {Failure} from '../../commands/Failure.tsx'
import {Banner} from '../../ui/Banner.tsx'
import {Button} from '../../ui/Button.tsx'
import {Dialog} from '../../ui/Dialog.tsx'
import {TextField} from '../../ui/Field.tsx'
import {PlainTable} from '../../ui/PlainTable.tsx'
import styles from './playbooks.module.css'
import {t} from './text.ts'

/** Secrets that headers of playbooks name. Their values are never shown. */
export function SecretsPart() {
	const {queries, client} = useApi()
	const [isOpen, setOpen] = useState(false)
	const {data = [], error, refetch} = useQuery(queries.automation.secrets.queryOptions())
	const remove = useMutation({
		mutationFn: (name: string) => client.automation.removeSecret({name}),
		onSettled: () => void refetch(),
	})
	const failure = remove.error ?? error
	return (
		<section className={styles.fields} aria-label={t.secrets}>
			<div className={styles.row}>
				<h2>{t.secrets}</h2>
				<Button size="small" onPress={() => setOpen(true)} aria-haspopup="dialog">
					{t.newSecret}
				</Button>
			</div>
			<Failure error={failure} />
			{data.length === 0 ? (
				<p className={styles.dim}>{t.noSecrets}</p>
			) : (
				<PlainTable>
					<tbody>
						{data.map(({name, origin}) => (
							<tr key={name}>
								<th scope="row">{name}</th>
								<td>{origin}</td>
								<td>
									<Button size="small" onPress={() => remove.mutate(name)} aria-label={t.deleteSecret(name)}>
										{t.delete}
									</Button>
								</td>
							</tr>
						))}
					</tbody>
				</PlainTable>
			)}
			{isOpen ? (
				<SecretDialog
					onClose={() => {
						setOpen(false)
						void refetch()
					}}
				/>
			) : null}
		</section>
	)
}

function SecretDialog({onClose}: {readonly onClose: () => void}) {
	const {client} = useApi()
	const [draft, setDraft] = useState({name: '', origin: '', value: ''})
	const store = useMutation({mutationFn: () => client.automation.setSecret(draft), onSuccess: onClose})
	const error = store.error === null ? null : asCordonError(store.error)
	const field = (name: keyof typeof draft, label: string) => ({
		label,
		value: draft[name],
		onChange: (text: string) => setDraft({...draft, [name]: text}),
		error: error?.details.field === name ? error.message : null,
	})
	const missing = (['name', 'origin', 'value'] as const).find(name => draft[name].trim() === '')
	const labels = {name: t.secretName, origin: t.secretOrigin, value: t.secretValue}
	return (
		<Dialog
			title={t.newSecretTitle}
			cancel
			onClose={onClose}
			footer={
				<Button tone="primary" onPress={() => store.mutate()} reason={missing === undefined ? null : t.missing(labels[missing])}>
					{t.storeSecret}
				</Button>
			}
		>
			<div className={styles.fields}>
				<TextField {...field('name', labels.name)} autoFocus maxLength={100} />
				<TextField {...field('origin', labels.origin)} placeholder={t.secretOriginExample} />
				<TextField {...field('value', labels.value)} type="password" autoComplete="off" />
				<p className={styles.dim}>{t.secretNote}</p>
				{error === null || error.details.field !== undefined ? null : <Banner tone="bad">{error.message}</Banner>}
			</div>
		</Dialog>
	)
}
