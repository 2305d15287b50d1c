interface AuthorityFile {
  readonly name: string;
  readonly mediaType: string;
  /** PEM text, or base64 of the DER form. */
  readonly content: string;
}

/** Gives the file to the browser, which asks where to put it or puts it where it always does. */
export function saveFile(format: 'pem' | 'der'): (file: AuthorityFile) => void {
  return ({ name, mediaType, content }) => {
    const data = format === 'pem' ? content : Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([data], { type: mediaType }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    URL.revokeObjectURL(url);
  };
}
