interface NothingProps {
  title: string;
  /** Explains why the view is empty, and how to get something there. */
  help: string;
  link?: { href: string; name: string };
}

/** An empty view. */
export const Nothing = ({ title, help, link }: NothingProps) => (
  <div class="nothing">
    <b>{title}</b>
    <p>{help}</p>
    {link && (
      <a class="chip" href={link.href}>
        {link.name}
      </a>
    )}
  </div>
);
