import {useMemo, useState} from 'react'

import {NoChoices} from '../directory/NoChoices.tsx'
import {useGroups} from '../directory/use-directory.ts'
import {ComboBox} from '#ui/Select.tsx'
import {t} from '../text.ts'
import {pathsOf, targetsOf} from './move-targets.ts'

interface GroupFieldProps {
	chosen: string | null
	onChoose: (guid: string | null) => void
	problem?: string | null
	description?: string
	autoFocus?: boolean
}

/** Finds an existing group by a part of its path. */
export function GroupField({chosen, onChoose, problem = null, autoFocus = false, ...rest}: GroupFieldProps) {
	const copy = useGroups()
	const {items: groups = []} = copy
	const paths = useMemo(() => pathsOf(groups), [groups])
	const [typed, setTyped] = useState(paths.get(chosen ?? '') ?? '')
	const targets = targetsOf(groups, paths, chosen === null ? typed : '')
	return (
		<>
			<ComboBox
				{...rest}
				label={t.toTheGroup}
				isRequired
				autoFocus={autoFocus}
				input={typed}
				onInput={text => {
					setTyped(text)
					onChoose(groups.find(({guid}) => paths.get(guid) === text)?.guid ?? null)
				}}
				onChoose={guid => {
					onChoose(guid)
					setTyped(paths.get(guid) ?? '')
				}}
				options={targets}
				placeholder={t.typePartOfName}
				error={problem}
			/>
			<NoChoices copy={copy} many="groups" isNone={targets.length === 0} />
		</>
	)
}
