#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build the documentation as HTML that opens from a file and from any folder of a server: the pages in Markdown, the manual
pages, and the libraries.

    build-docs.py ARCHIVES FOLDER    ARCHIVES is what convert-libraries.sh made; FOLDER is made again
    build-docs.py --check FOLDER     only check the links
    build-docs.py --self-test        check that planted links are found

Every link of every page must lead to a file of FOLDER, and to an anchor in it; links to the web are not followed. Needs
cmark-gfm and mandoc.
"""
import html
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The contents of the first page: pages and manual pages by their readers. The authors of apps have the libraries too.
AUTHORS = "Author of apps"
READERS = {
    "Owner of a device": [
        "README.md", "docs/faq.md", "machines/README.md", "docs/snapdragon.md", "Examples/autorotate/README.md", "Benchmarks/README.md",
        "orientationctl.1", "orientation-autorotate.1", "orientation-tablet-switch.8", "monitor-sensor.1"],
    AUTHORS: [
        "docs/apps.md", "Examples/gtk/README.md", "Examples/sdl/README.md", "orientation.3", "orientationd.sock.5"],
    "Packager and administrator": [
        "docs/packaging.md", "docs/security.md", "docs/stability.md", "CHANGELOG.md", "SECURITY.md", "orientationd.8"],
    "Contributor": ["CONTRIBUTING.md", "docs/classifier.md", "docs/motion-events.md"],
}
PAGES = [name for names in READERS.values() for name in names if name.endswith(".md")]
# The libraries' pages are here, as DocC calls them.
LIBRARIES = "documentation"
STYLE = """\
body{max-width:62rem;margin:auto;padding:1rem 1.5rem;font:16px/1.5 system-ui,sans-serif;color:#1c2430;background:#fff}
nav{font-size:.9rem;margin-bottom:1.5rem}a{color:#0a58ad;text-decoration:none}a:hover{text-decoration:underline}
pre,code{font:14px/1.45 ui-monospace,"DejaVu Sans Mono",monospace;background:#f2f4f7;border-radius:4px}
pre{padding:.7rem 1rem;overflow-x:auto}code{padding:.1em .25em}pre code{padding:0}img{max-width:100%}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #ccd3dc;padding:.3rem .6rem;text-align:left;
vertical-align:top}h2{margin-top:2rem}h3{margin-top:1.5rem}section{border-top:1px solid #e3e7ec;margin-top:1.2rem}
h1.Sh{font-size:1.35rem}h2.Ss{font-size:1.1rem}h1.Sh a,h2.Ss a,dt a.permalink{color:inherit}dt{font-weight:600}dd{margin-bottom:.4rem}.head,.foot{display:none}
@media(prefers-color-scheme:dark){body{color:#dfe5ec;background:#12161c}a{color:#7db7f5}pre,code{background:#1d232c}
td,th{border-color:#39424f}section{border-color:#2a323d}}
"""


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def tracked(path):
    """The files of a folder in git, or of a source tarball."""
    listed = subprocess.run(["git", "ls-files", path], capture_output=True, text=True, cwd=ROOT, check=False).stdout.split("\n")
    return sorted(filter(None, listed)) or sorted(str(it.relative_to(ROOT)) for it in (ROOT / path).rglob("*") if it.is_file())


class Site:
    """The pages, and the files that they link to."""

    def __init__(self, archives, folder):
        self.archives, self.folder = archives, folder
        self.manuals = {path.name: f"man/{path.name}.html" for path in sorted((ROOT / "man").iterdir())}

    def write(self, path, title, body):
        """Write a page; links of `body` that begin with @ are paths of this site."""
        up = "../" * path.count("/")
        body = re.sub(r'(href|src)="@([^"]*)"', lambda it: f'{it[1]}="{up}{it[2]}"', self.link_manuals(body))
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f'<title>{html.escape(title)}</title><link rel="stylesheet" href="{up}style.css">\n'
            f'<nav><a href="{up}index.html">orientationd: contents</a></nav>\n{body}\n</html>\n')

    def link_manuals(self, body):
        """Turn names of manual pages, as in orientationd(8), into links."""

        def link(found):
            name, section = found[1] or found[3], found[2] or found[4]
            target = self.manuals.get(f"{name}.{section}")
            return f'<a href="@{target}">{name}({section})</a>' if target else found[0]

        return re.sub(r"<code>([\w.-]+)\((\d)\)</code>|<b>([\w.-]+)</b>\((\d)\)", link, body)

    def target(self, source, link):
        """Where a link of a page in Markdown leads in this site."""
        if re.match(r"[a-z]+:", link):
            return link
        path, _, anchor = link.partition("#")
        anchor = f"#{anchor}" if anchor else ""
        if not path:
            return anchor
        path = os.path.normpath(pathlib.PurePath(source).parent / path)
        if f"{path}/README.md" in PAGES:
            path = f"{path}/README.md"
        if path in PAGES:
            return f"@{path[:-3]}.html{anchor}"
        if path.endswith(".md") and ".docc/" in path:
            module, name = path.split("/")[-2].removesuffix(".docc"), path.split("/")[-1].removesuffix(".md")
            return f"@{LIBRARIES}/{module}/{'index' if name == module else name}.html".lower() + anchor
        if (ROOT / path).is_dir():
            files = tracked(path)
            listing = "".join(f'<li><a href="@{self.copy(file)}">{html.escape(file)}</a>' for file in files)
            self.write(f"{path}/index.html", path, f"<h1>{html.escape(path)}</h1><ul>{listing}</ul>")
            return f"@{path}/index.html"
        return f"@{self.copy(path)}{anchor}"

    def copy(self, path):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, self.folder / path)
        return path

    def markdown(self, path):
        table = run("Scripts/machines.py", "page") if path == "machines/README.md" else ""
        body = run("cmark-gfm", "-e", "table", "-e", "autolink", text=f"{(ROOT / path).read_text()}\n{table}")
        slugs = {}

        def heading(found):
            # As GitHub names them.
            slug = re.sub(r"[^\w -]", "", html.unescape(re.sub("<.*?>", "", found[2])).lower()).replace(" ", "-")
            slugs[slug] = slugs.get(slug, 0) + 1
            return f'<h{found[1]} id="{slug}{f"-{slugs[slug] - 1}" if slugs[slug] > 1 else ""}">{found[2]}</h{found[1]}>'

        body = re.sub(r"<h(\d)>(.*?)</h\d>", heading, body)
        body = re.sub(r'(href|src)="([^"]*)"',
                      lambda it: f'{it[1]}="{html.escape(self.target(path, urllib.parse.unquote(html.unescape(it[2]))))}"', body)
        title = re.sub("<.*?>", "", re.search("<h1.*?>(.*?)</h1>", body)[1])
        self.write(f"{path[:-3]}.html", html.unescape(title), body)
        return title

    def manual(self, name):
        body = run("mandoc", "-Thtml", "-Ofragment", f"man/{name}")
        title = f"{name[:-2]}({name[-1]})"
        self.write(self.manuals[name], title, f'<h1>{title}</h1>{body}')
        return html.escape(re.search(r'\n\.SH NAME\n.*? \\?- (.*)', (ROOT / "man" / name).read_text())[1].replace("\\", ""))

    def build(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "style.css").write_text(STYLE)
        entries = {path: (f"{path[:-3]}.html", self.markdown(path), "") for path in PAGES}
        entries["README.md"] = ("README.html", "Read this first", "")
        entries |= {name: (target, f"{name[:-2]}({name[-1]})", self.manual(name)) for name, target in self.manuals.items()}
        if missing := set(entries) - {name for names in READERS.values() for name in names}:
            raise SystemExit(f"build-docs.py: READERS lacks {', '.join(missing)}")
        libraries = {}
        for archive in sorted(self.archives.glob("*.doccarchive")):
            library = Library(archive, self)
            libraries[library.name] = library.build()
        if not libraries:
            raise SystemExit(f"build-docs.py: {self.archives}: no archives: run Scripts/convert-libraries.sh")

        def contents(rows):
            return "<dl>" + "".join(f'<dt><a href="@{path}">{name}</a>{f"<dd>{text}" if text else ""}' for path, name, text in rows) + "</dl>"

        body = "<h1>orientationd</h1>\n"
        for reader, names in READERS.items():
            body += f"<h2>{reader}</h2>\n" + contents(entries[name] for name in names)
            if reader == AUTHORS:
                body += "<h3>Libraries for Swift</h3>" + contents(
                    (f"{LIBRARIES}/{name}/index.html", title, text) for name, (title, text) in libraries.items())
        self.write("index.html", "orientationd", body)


class Library:
    """The pages of a DocC archive: one for the module, each article and each type, which has its members as sections."""

    def __init__(self, archive, site):
        self.site, self.name = site, archive.name.removesuffix(".doccarchive").lower()
        data = archive / "data/documentation"
        self.pages = {"/documentation/" + str(path.relative_to(data).with_suffix("")): json.loads(path.read_text())
                      for path in sorted(data.rglob("*.json"))}
        self.images = {path.name: path for path in (archive / "images").rglob("*") if path.is_file()}
        self.references = {}

    def place(self, url):
        """The page and the anchor of a documented thing."""
        words = url.removeprefix("/documentation/").split("/")
        clean = [re.sub(r"[^\w.-]", "_", word) for word in words]
        file = f"{LIBRARIES}/{clean[0]}/{clean[1] if len(words) > 1 else 'index'}.html"
        return file, "-".join(clean[2:])

    def link(self, identifier, text=None):
        reference = self.references.get(identifier, {})
        title = html.escape(reference.get("title", identifier.split("/")[-1]))
        if text is None:
            text = f"<code>{title}</code>" if reference.get("kind") == "symbol" else title
        url = reference.get("url", "")
        page, _, heading = url.partition("#")
        if page in self.pages:
            file, anchor = self.place(page)
            anchor = heading or anchor
            return f'<a href="@{file}{"#" + html.escape(anchor) if anchor else ""}">{text}</a>'
        return f'<a href="{html.escape(url)}">{text}</a>' if url.startswith("http") else text

    def inline(self, items):
        return "".join(map(self.one_inline, items or []))

    def one_inline(self, it):
        kind = it["type"]
        if kind == "codeVoice":
            return f"<code>{html.escape(it['code'])}</code>"
        if kind == "reference":
            override = it.get("overridingTitleInlineContent")
            return self.link(it["identifier"], self.inline(override) if override else None)
        if kind == "image":
            variants = self.references[it["identifier"]]["variants"]
            name = variants[0]["url"].split("/")[-1]
            target = self.site.folder / "images" / name
            target.parent.mkdir(exist_ok=True)
            shutil.copy(self.images[name], target)
            return f'<img src="@images/{name}" alt="{html.escape(self.references[it["identifier"]].get("alt") or "")}">'
        if "inlineContent" in it:
            tag = {"strong": "strong", "emphasis": "em"}.get(kind, "span")
            return f"<{tag}>{self.inline(it['inlineContent'])}</{tag}>"
        return html.escape(it.get("text", ""))

    def blocks(self, items):
        return "".join(map(self.block, items or []))

    def block(self, it):
        kind = it["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(it['inlineContent'])}</p>"
        if kind == "heading":
            return f'<h{it["level"]} id="{html.escape(it["anchor"])}">{html.escape(it["text"])}</h{it["level"]}>'
        if kind == "codeListing":
            return "<pre><code>" + html.escape("\n".join(it["code"])) + "</code></pre>"
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            return f"<{tag}>" + "".join(f"<li>{self.blocks(item['content'])}" for item in it["items"]) + f"</{tag}>"
        if kind == "aside":
            return f"<blockquote><strong>{html.escape(it.get('name', it['style']))}</strong>{self.blocks(it['content'])}</blockquote>"
        if kind == "table":
            rows = "".join("<tr>" + "".join(f"<td>{self.blocks(cell)}</td>" for cell in row) + "</tr>" for row in it["rows"])
            return f"<table>{rows}</table>"
        if kind == "links":
            return "<ul>" + "".join(f"<li>{self.link(item)}" for item in it["items"]) + "</ul>"
        if kind == "termList":
            return "<dl>" + "".join(f"<dt>{self.inline(item['term']['inlineContent'])}<dd>{self.blocks(item['definition']['content'])}"
                                    for item in it["items"]) + "</dl>"
        raise SystemExit(f"build-docs.py: {self.name}: DocC's block {kind} has no HTML")

    def content(self, page):
        """The declaration, the text, and the lists of a page."""
        parts = [f"<p>{self.inline(page.get('abstract'))}</p>"]
        for section in page.get("primaryContentSections", []):
            if section["kind"] == "declarations":
                for declaration in section["declarations"]:
                    tokens = "".join(self.link(token["identifier"], html.escape(token["text"])) if "identifier" in token
                                     else html.escape(token["text"]) for token in declaration["tokens"])
                    parts.append(f"<pre><code>{tokens}</code></pre>")
            elif section["kind"] == "parameters":
                parts.append("<dl>" + "".join(f"<dt><code>{html.escape(it['name'])}</code><dd>{self.blocks(it['content'])}"
                                              for it in section["parameters"]) + "</dl>")
            elif section["kind"] == "content":
                parts.append(self.blocks(section["content"]))
        for section in page.get("topicSections", []) + page.get("relationshipsSections", []) + page.get("seeAlsoSections", []):
            if section.get("generated") and section in page.get("seeAlsoSections", []):
                continue
            parts.append(f"<h4>{html.escape(section['title'])}</h4><ul>")
            for identifier in section["identifiers"]:
                abstract = self.inline(self.references.get(identifier, {}).get("abstract"))
                parts.append(f"<li>{self.link(identifier)}{f': {abstract}' if abstract else ''}")
            parts.append("</ul>")
        return "\n".join(parts)

    def build(self):
        """Write the pages; return the title and the abstract of the module."""
        bodies, titles = {}, {}
        for page in self.pages.values():
            self.references |= page.get("references", {})
        for url, page in sorted(self.pages.items()):
            file, anchor = self.place(url)
            title, heading = page["metadata"]["title"], page["metadata"].get("roleHeading", "")
            if anchor:
                bodies[file].append(f'<section id="{html.escape(anchor)}"><h3><code>{html.escape(title)}</code></h3>'
                                    f"{self.content(page)}</section>")
            else:
                titles[file] = title
                bodies.setdefault(file, []).insert(0, f"<h1>{html.escape(title)}</h1><p><em>{html.escape(heading)}</em></p>"
                                                   + self.content(page))
        for file, parts in bodies.items():
            back = "" if file.endswith("/index.html") else f'<p><a href="@{LIBRARIES}/{self.name}/index.html">{self.name}</a></p>'
            self.site.write(file, titles[file], back + "\n".join(parts))
        module = self.pages[f"/documentation/{self.name}"]
        return module["metadata"]["title"], self.inline(module.get("abstract"))


class Links(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value is not None:
                self.links.append(value)
            elif name == "id":
                self.anchors.add(value)


def check(folder):
    """Return the links that lead nowhere, and a summary."""
    pages = {path: Links(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    wrong, count = [], 0
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"(https?|mailto):", link):
                continue
            count += 1
            target, _, anchor = urllib.parse.unquote(link).partition("#")
            file = path if not target else pathlib.Path(os.path.normpath(path.parent / target))
            if target.startswith("/") or not file.is_file() or not file.is_relative_to(folder):
                wrong.append(f"{path.relative_to(folder)}: {link}: no such file")
            elif anchor and file in pages and anchor not in pages[file].anchors:
                wrong.append(f"{path.relative_to(folder)}: {link}: no such anchor")
    return wrong, f"{len(pages)} pages, {count} links between them, {len(wrong)} wrong"


def self_test():
    wrong = ["nowhere.html", "/index.html", "../outside.html", "#nowhere", "sub/page.html#nowhere"]
    right = ["#here", "sub/page.html#there", "style.css", "https://example.org/"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve() / "site"
        (folder / "sub").mkdir(parents=True)
        (folder / "style.css").touch()
        (folder.parent / "outside.html").touch()
        (folder / "sub/page.html").write_text('<p id="there"><a href="../index.html">back</a>')
        (folder / "index.html").write_text('<p id="here">' + "".join(f'<a href="{link}">x</a>' for link in wrong + right))
        found = [line.split(": ")[1] for line in check(folder)[0]]
    if found != wrong:
        raise SystemExit(f"build-docs.py: self-test: found {found} instead of {wrong}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    folder = pathlib.Path(sys.argv[2]).resolve()
    if sys.argv[1] != "--check":
        Site(pathlib.Path(sys.argv[1]).resolve(), folder).build()
    wrong, summary = check(folder)
    print(summary, "\n".join(wrong) or f"open {folder}/index.html", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
