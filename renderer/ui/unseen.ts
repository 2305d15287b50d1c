import styles from './unseen.module.css'

/** Class of elements for screen readers or keyboard only. */
export const unseen = styles.unseen
