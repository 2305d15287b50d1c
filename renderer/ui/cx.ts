import styles from './unseen.module.css'

/** Joins class names, without missing or disabled ones. */
export function cx(...names: readonly (string | false | null | undefined)[]) {
	return names.filter(name => typeof name === 'string' && name !== '').join(' ')
}

/** Class of elements for screen readers or keyboard only. */
export const unseen = styles.unseen
