import {fileListSchema} from '#model/file-list.ts'
import {useConnections, useCall} from '#api/hooks.tsx'
import {Banner} from '#ui/States.tsx'
import {Button} from '#ui/Button.tsx'
import {TextArea, Checkbox} from '#ui/Field.tsx'
import {linesOf, type Form} from '#ui/form.ts'
import {Select, optionsByName} from '#ui/Select.tsx'
import styles from './form.module.css'
import type {ListDraft} from './list-draft.ts'
import {t} from './text.ts'

export function SourceFields(form: Form<ListDraft>) {
	const {draft, field, errorAt} = form
	return (
		<>
			<div className="halves">
				<TextArea
					label={t.pastedValues}
					{...field('text')}
					mono
					rows={4}
					error={errorAt('sources') === null ? null : t.giveLeastOne}
					description={t.onePerLineBegins}
				/>
				<TextArea label={t.filesComputer} {...field('files')} mono rows={4} description={t.pathsOnePer} />
			</div>
			{draft.type === 'sha256' && <FileLists {...form} />}
		</>
	)
}

/** File lists of the service to publish: chosen by name, or given as GUIDs. */
function FileLists({draft, set, field}: Form<ListDraft>) {
	const connections = useConnections() ?? []
	const known = useFileLists(draft.connection)
	const chosen = linesOf(draft.fileLists)
	const toggle = (guid: string, on: boolean) => set({fileLists: (on ? [...chosen, guid] : chosen.filter(each => each !== guid)).join('\n')})
	return (
		<>
			<div className="halves">
				<Select
					label={t.fileListsOf}
					value={draft.connection === '' ? null : draft.connection}
					onChange={connection => {
						known.reset()
						set({connection})
					}}
					options={optionsByName(connections)}
					placeholder={t.chooseAConnection}
					description={t.serviceWhose}
				/>
				<TextArea label={t.fileLists} {...field('fileLists')} mono rows={2} description={t.gUIDsOnePer} />
			</div>
			{draft.connection !== '' && (
				<div className={styles.fileLists}>
					<Button small onPress={() => known.mutate()} reason={known.isPending ? t.queryInProgress : null} tooltip={t.asksService}>
						{known.isPending ? t.loadingNow : t.chooseByName}
					</Button>
					{known.error !== null && <Banner tone="warning">{known.error.message}</Banner>}
					{known.data?.length === 0 && <p className="note">{t.serviceNoFile}</p>}
					{(known.data ?? []).map(({guid, name, type}) => (
						<Checkbox key={guid} isSelected={chosen.includes(guid)} onChange={on => toggle(guid, on)}>
							{name} <span className="note">{(type ?? '').replaceAll('_', ' ')}</span>
						</Checkbox>
					))}
				</div>
			)}
		</>
	)
}

const listings = ['svc_get_simple_custom_detections', 'svc_get_application_blocking'] as const

/** Both kinds of file lists of a connection, loaded on demand. */
function useFileLists(connection: string) {
	return useCall(async client => {
		const read = (name: (typeof listings)[number]) =>
			client.commands.run({connection, name, args: {}, options: {all: true}, surface: 'screen', run: crypto.randomUUID()})
		const results = await Promise.all(listings.map(read))
		const records = results.flatMap(({data}) => (Array.isArray(data) ? data : []))
		return records.flatMap(record => fileListSchema.safeParse(record).data ?? [])
	})
}
