// What the tables of the page show next to each other. srpatch itself says what matches; this is
// for the eye alone.

/** The rows of SEARCH next to the lines of a file: {kind, left, right, line}, line from 0. */
export function compare(search, file) {
  const left = lines(search);
  const right = lines(file);
  const rows = [];
  for (const [i, j] of pairs(left, right)) {
    const [a, b] = [left[i], right[j]];
    let kind = "other";
    if (j === undefined) kind = "left";
    else if (i === undefined) kind = "right";
    else if (a === b) kind = "same";
    else if (squeeze(a) === squeeze(b)) kind = "blanks";
    rows.push({ kind, left: a, right: b, line: j });
  }
  return rows;
}

const lines = (text) => text.replace(/\n$/, "").split("\n");
const squeeze = (line) => line.replace(/\s+/g, "");

// pairs joins lines by a longest common subsequence of their text without blanks; what is left
// between two pairs is joined in order.
function pairs(left, right) {
  if (left.length * right.length > 4e6) return inOrder(0, left.length, 0, right.length);
  const [a, b] = [left.map(squeeze), right.map(squeeze)];
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const out = [];
  let [i, j, fromI, fromJ] = [0, 0, 0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      out.push(...inOrder(fromI, i, fromJ, j), [i++, j++]);
      [fromI, fromJ] = [i, j];
    } else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i++;
    else j++;
  }
  return [...out, ...inOrder(fromI, a.length, fromJ, b.length)];
}

function inOrder(i, endI, j, endJ) {
  const out = [];
  while (i < endI || j < endJ) out.push([i < endI ? i++ : undefined, j < endJ ? j++ : undefined]);
  return out;
}

/** A unified diff as {title, rows} for each hunk; rows are {kind, left, right, old, new}. */
export function compareFiles(diff) {
  const hunks = [];
  let [file, oldLine, newLine, oldLeft, newLeft, rows] = ["", 0, 0, 0, 0, null];
  let [removed, added] = [[], []];
  const flush = () => {
    for (const [i, j] of inOrder(0, removed.length, 0, added.length)) {
      rows.push({ kind: "changed", left: removed[i], right: added[j],
        old: i === undefined ? undefined : oldLine - removed.length + i,
        new: j === undefined ? undefined : newLine - added.length + j });
    }
    [removed, added] = [[], []];
  };
  for (const line of diff.split("\n")) {
    if (oldLeft <= 0 && newLeft <= 0) {
      if (rows) flush();
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
      if (hunk) {
        [oldLine, newLine] = [Number(hunk[1]), Number(hunk[3])];
        [oldLeft, newLeft] = [Number(hunk[2] ?? 1), Number(hunk[4] ?? 1)];
        hunks.push({ title: `${file}, from line ${oldLine}`, rows: (rows = []) });
      } else if (line.startsWith("diff --git ")) {
        rows = null;
        file = line.slice("diff --git ".length).replace(/^a\/(.*) b\/\1$/, "$1");
      }
      continue;
    }
    const text = line.slice(1);
    if (line[0] === "-") [oldLine, oldLeft] = [oldLine + 1, oldLeft - 1], removed.push(text);
    else if (line[0] === "+") [newLine, newLeft] = [newLine + 1, newLeft - 1], added.push(text);
    else if (line[0] !== "\\") {
      flush();
      rows.push({ kind: "same", left: text, right: text, old: oldLine++, new: newLine++ });
      [oldLeft, newLeft] = [oldLeft - 1, newLeft - 1];
    }
  }
  if (rows) flush();
  return hunks;
}
