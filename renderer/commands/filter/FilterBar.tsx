import {Search} from 'lucide-react'
import {type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState} from 'react'

import {cutOut, type FilterLanguage, type LanguageTerm, unfinishedWord} from '#model/filter-language.ts'
import {useAskedHere, useSettings} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {cx} from '#ui/cx.ts'
import {KeyCap, Chip} from '#ui/Tag.tsx'
import {useRoom} from '#ui/use-room.ts'
import {Option} from '../Option.tsx'
import {t} from '../text.ts'
import {useMoveCaret} from '../use-caret.ts'
import {usePicked} from '../use-picked.ts'
import styles from './FilterBar.module.css'
import type {TypedFilter} from './use-typed-filter.ts'

interface FilterBarProps<T extends LanguageTerm> {
	filter: TypedFilter<T>
	/** What the box filters, such as `the computers`. */
	what: string
	/** Shown in the empty box behind *Filter:*. */
	example: string
	inputRef: Ref<HTMLInputElement>
	/** On Enter, or on Escape in an empty box: returns to the rows. */
	onLeave: () => void
	/** A chip's labels, where operators do not know the language's words. */
	describe?: (term: T) => {field: string; value: string}
}

/** Larger text needs more room. */
const textScale = {small: 1, normal: 1, large: 15 / 13, largest: 17 / 13}

/** The facets are shown by default in a window this wide, in pixels at the usual text size. */
export function useFacetsSwitch(width: number) {
	const id = useId()
	const [chosen, setChosen] = useState<boolean>()
	const room = useRoom(width * textScale[useSettings().fontSize])
	const isOpen = chosen ?? room
	return {id, isOpen, toggle: () => setChosen(!isOpen)}
}

/** The facet button, the typed filter, and the screen's other row controls. */
export function FilterBar<T extends LanguageTerm>({
	facets: {id, isOpen, toggle},
	children,
	...props
}: FilterBarProps<T> & {facets: ReturnType<typeof useFacetsSwitch>; children?: ReactNode}) {
	return (
		<div className={styles.line}>
			<Button aria-expanded={isOpen} aria-controls={id} onPress={toggle}>
				{t.facets}
			</Button>
			<FilterBox {...props} />
			{children}
		</div>
	)
}

/** The typed filter with completion, and a chip for each of its terms. */
function FilterBox<T extends LanguageTerm>(props: FilterBarProps<T>) {
	const {filter, what, example, inputRef, onLeave} = props
	const id = useId()
	const editor = useFilterEditor(filter, onLeave)
	const {choices, chosen} = editor
	const problem = filter.parsed.problems[0]
	return (
		<div className={styles.bar}>
			<div className={cx('entry', styles.box)}>
				<Search size={14} aria-hidden />
				<input
					ref={element => {
						editor.input.current = element
						if (typeof inputRef === 'function') inputRef(element)
						else if (inputRef !== null && inputRef !== undefined) inputRef.current = element
					}}
					type="search"
					aria-label={t.filterOf(what)}
					aria-autocomplete="list"
					aria-controls={`${id}-list`}
					aria-invalid={problem !== undefined}
					{...(problem !== undefined && {'aria-describedby': `${id}-problem`})}
					{...(choices[chosen] !== undefined && {'aria-activedescendant': `${id}-${chosen}`})}
					placeholder={t.filter(example)}
					spellCheck={false}
					autoComplete="off"
					value={filter.text}
					onChange={({currentTarget}) => editor.typed(currentTarget.value, currentTarget.selectionStart)}
					onBlur={editor.shut}
					onKeyDown={editor.press}
				/>
				{filter.text === '' && <KeyCap keys="/" />}
				<Choices id={id} choices={choices} chosen={chosen} onChoose={editor.insert} />
			</div>
			{problem !== undefined && (
				<p id={`${id}-problem`} className="fails" role="status">
					{problem.message} {t.rowsStillMatch(filter.applied === '' ? t.noFilter : `“${filter.applied}”`)}
				</p>
			)}
			{filter.parsed.terms.length !== 0 && <Terms filter={filter} describe={props.describe ?? filter.language.describe} />}
		</div>
	)
}

function Terms<T extends LanguageTerm>({filter, describe}: Pick<FilterBarProps<T>, 'filter'> & Required<Pick<FilterBarProps<T>, 'describe'>>) {
	return (
		<ul className={styles.chips} aria-label={t.conditions}>
			{filter.parsed.terms.map(term => {
				const {field, value} = describe(term)
				return (
					<li key={`${term.start}-${term.field}`}>
						<Chip name={field} removeLabel={t.removeTheCondition(field, value)} onRemove={() => filter.set(cutOut(filter.text, term))}>
							{value}
						</Chip>
					</li>
				)
			})}
		</ul>
	)
}

interface ChoicesProps {
	id: string
	choices: readonly Choice[]
	chosen: number
	onChoose: (choice: Choice) => void
}

function Choices({id, choices, chosen, onChoose}: ChoicesProps) {
	return (
		<div id={`${id}-list`} role="listbox" aria-label={t.completions} className={styles.choices} hidden={choices.length === 0}>
			{choices.map((choice, index) => (
				<Option key={choice.insert} {...choice} id={`${id}-${index}`} isPicked={index === chosen} isCode onTake={() => onChoose(choice)} />
			))}
		</div>
	)
}

interface Choice {
	insert: string
	label: string
	detail: string
}

const longestList = 10

/** Caret, completions and keys of the filter box. */
function useFilterEditor<T extends LanguageTerm>(filter: TypedFilter<T>, onLeave: () => void) {
	const [caret, setCaret] = useState<number | null>(null)
	const input = useRef<HTMLInputElement>(null)
	const moveCaret = useMoveCaret(input)
	const {from, to, choices, isAsking, isWhole} = useChoices(filter.language, filter.text, caret)
	const {picked: chosen, pick: choose} = usePicked(choices.map(choice => choice.insert))
	const shut = () => {
		setCaret(null)
		filter.finish()
	}
	const insert = (choice: Choice) => {
		const at = from + choice.insert.length
		filter.set(`${filter.text.slice(0, from)}${choice.insert}${filter.text.slice(to)}`, at)
		choose(-1)
		setCaret(at)
		moveCaret(at)
	}
	const leave = () => {
		shut()
		onLeave()
	}
	const escape = () => {
		// The first Escape closes a list that is about to open, and does not clear the filter.
		if (choices.length > 0 || isAsking || isWhole) setCaret(null)
		else if (filter.text === '') leave()
		else filter.set('')
	}
	const press = (event: KeyboardEvent<HTMLInputElement>) => {
		const {key, nativeEvent} = event
		if (nativeEvent.isComposing) return
		const choice = choices[chosen]
		if (choices.length > 0 && (key === 'ArrowDown' || key === 'ArrowUp')) choose(step(chosen, key === 'ArrowDown' ? 1 : -1, choices.length))
		else if (choice !== undefined && (key === 'Enter' || key === 'Tab')) insert(choice)
		else if (key === 'Enter') leave()
		else if (key === 'Escape') escape()
		else return
		event.preventDefault()
		event.stopPropagation()
	}
	const typed = (text: string, at: number | null) => {
		filter.set(text, at ?? text.length)
		choose(-1)
		setCaret(at)
	}
	return {input, choices, chosen, insert, typed, shut, press}
}

function useChoices<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, caret: number | null) {
	const at = language.suggest(text, caret ?? text.length)
	const isTyping = caret !== null && text !== ''
	const wanted = isTyping ? at.ask : null
	const {data, isFetching} = useAskedHere(
		q => q.commands.suggest,
		{source: wanted?.source ?? 'hostname', prefix: wanted?.prefix ?? '', limit: longestList},
		{enabled: wanted !== null}
	)
	const known = wanted === null ? [] : (data ?? []).map(({value, label}) => (wanted.take === 'label' ? label : value))
	const offered: readonly Choice[] = isTyping
		? [...at.items, ...known.map(value => ({insert: at.insertOf(value), label: value, detail: ''}))]
		: []
	// What is already typed would only cover the conditions below.
	const fresh = offered.filter(({insert}) => insert !== text.slice(at.from, caret ?? 0))
	const choices = isTyping ? [...fresh.slice(0, longestList), ...itself(language, text, caret)] : []
	const isWhole = fresh.length < offered.length
	return {from: at.from, to: at.to, choices, isAsking: wanted !== null && isFetching, isWhole}
}

/** Enter takes the typed text as it stands; this choice does the same. */
function itself<T extends LanguageTerm>(language: FilterLanguage<T>, text: string, caret: number) {
	const word = unfinishedWord(language, text, caret)
	if (word === null) return []
	const typed = text.slice(word.start, word.end).replace(/^-/, '')
	return [{insert: `"${typed}"`, label: `“${typed}”`, detail: 'the word itself'}]
}

/** Up from none picks the last. */
function step(index: number, by: number, count: number) {
	return index < 0 && by < 0 ? count - 1 : (index + by + count) % count
}
