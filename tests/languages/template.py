# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages that a translator gets, and the files of translators, in gettext's formats."""
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=n != 1;\\n"\n\n'
# The keywords and comments of meson's preset for GLib; gettext tells by itself which texts are formats.
OPTIONS = ["--from-code=UTF-8", "--add-comments", "--keyword=_", "--keyword=N_", "--keyword=C_:1c,2", "--keyword=NC_:1c,2",
           "--keyword=g_dcgettext:2", "--keyword=g_dngettext:2,3", "--keyword=g_dpgettext2:2c,3"]


def make_template():
    """Returns the text of the .pot file."""
    command = ["xgettext", "--directory", ROOT, "--files-from", ROOT / "po/POTFILES.in", "--output=-", *OPTIONS]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout


class Message:
    """One entry: its text and its plural as they stand between the quotes of the file."""

    def __init__(self, entry):
        self.entry = entry
        self.flags = re.findall(r"^#, .*", entry, re.M)
        self.comments = [line for line in re.findall(r"^#\. ?(.*)", entry, re.M)]
        self.places = " ".join(re.findall(r"^#: (.*)", entry, re.M)).split()
        self.context, self.one, self.many = (self.join("msgctxt"), self.join("msgid"), self.join("msgid_plural"))

    def join(self, key):
        found = re.search(rf'^{key} ((?:"(?:[^"\\]|\\.)*"\n?)+)', self.entry + "\n", re.M)
        return "".join(line[1:-1] for line in found[1].splitlines()) if found else None

    def write(self, translate):
        """Returns the entry with what the function makes of its texts."""
        lines = list(self.flags)
        if self.context is not None:
            lines.append(f'msgctxt "{self.context}"')
        lines.append(f'msgid "{self.one}"')
        if self.many is None:
            lines.append(f'msgstr "{translate(self.one)}"')
        else:
            lines += [f'msgid_plural "{self.many}"', f'msgstr[0] "{translate(self.one)}"', f'msgstr[1] "{translate(self.many)}"']
        return "\n".join(lines) + "\n\n"


def split(template):
    """Returns all messages but the header."""
    return [Message(entry) for entry in template.split("\n\n")[1:] if "\nmsgid " in "\n" + entry]
