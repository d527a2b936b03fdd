import { useState, type DragEvent, type ReactNode } from 'react';

interface FileDropProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** A place where files can be dropped, for the mouse only: its content offers the same by keyboard. */
export function FileDrop({ onFiles, children }: FileDropProps) {
  const [isOver, setIsOver] = useState(false);
  const handleOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    // Or the browser would open the file instead of the page.
    event.preventDefault();
    setIsOver(true);
  };
  const handleLeave = ({ currentTarget, relatedTarget }: DragEvent<HTMLElement>) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
  };
  const handleDrop = (event: DragEvent) => {
    setIsOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };
  return (
    <div
      className="file-drop"
      data-over={isOver || undefined}
      onDragEnter={handleOver}
      onDragOver={handleOver}
      onDragLeave={handleLeave}
      onDrop={handleDrop}
    >
      {children}
    </div>
  );
}
