import { declarationOf, type MetricName, metricNames } from "./catalog";
import type { Histogram } from "./histogram";

type Labels = Readonly<Record<string, string>>;

/**
 * Values of metrics at a moment, as text for Prometheus. The catalog names all labels; metrics
 * without a value are left out.
 */
export class Exposition {
  private readonly lines = new Map<MetricName, string[]>();

  add(name: MetricName, value: number | undefined, labels: Labels = {}) {
    if (value !== undefined) this.linesOf(name).push(`${name}${labelText(labels)} ${value}`);
  }

  addHistogram(name: MetricName, histogram: Histogram, labels: Labels = {}) {
    const lines = this.linesOf(name);
    const cumulated = histogram.cumulated();
    const count = cumulated.at(-1) ?? 0;
    for (const [index, bound] of histogram.bounds.entries()) {
      const within = labelText({ ...labels, le: String(bound) });
      lines.push(`${name}_bucket${within} ${cumulated[index] ?? 0}`);
    }
    lines.push(`${name}_bucket${labelText({ ...labels, le: "+Inf" })} ${count}`);
    lines.push(`${name}_sum${labelText(labels)} ${histogram.sum}`);
    lines.push(`${name}_count${labelText(labels)} ${count}`);
  }

  text(): string {
    const families = metricNames.flatMap((name) => {
      const lines = this.lines.get(name) ?? [];
      const { type, help } = declarationOf(name);
      return lines.length === 0
        ? []
        : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
    });
    return `${families.join("\n")}\n`;
  }

  private linesOf(name: MetricName): string[] {
    const lines = this.lines.get(name) ?? [];
    this.lines.set(name, lines);
    return lines;
  }
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
