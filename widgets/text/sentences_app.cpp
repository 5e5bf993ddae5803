// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

std::span<const SentenceRow> app()
{
    static const SentenceRow rows[] = {
        {"file.unreadable", QT_TRANSLATE_NOOP("Sentences", "Cannot read {file}: {reason}")},
        {"file.missing", QT_TRANSLATE_NOOP("Sentences", "There is no file or folder {file}.")},
        {"file.is-folder", QT_TRANSLATE_NOOP("Sentences", "{file} is a folder; a job is a YAML file.")},
        {"file.not-regular",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} is a pipe or a device, which the window does not wait for. Save its contents as a file, and "
                "open that file.")},
        {"file.too-large",
            QT_TRANSLATE_NOOP("Sentences", "{file} is larger than {limit} bytes; a job is far smaller.")},
        {"file.changed",
            QT_TRANSLATE_NOOP(
                "Sentences", "{file} was not saved, because another program has changed it in the meantime.")},
        {"file.write-protected",
            QT_TRANSLATE_NOOP(
                "Sentences", "{file} is write-protected. Save under another name, or allow writing: chmod u+w")},
        {"file.no-folder",
            QT_TRANSLATE_NOOP("Sentences",
                "{file} was not written. The folder {folder} does not exist. Make it, or choose another one.")},
        {"file.unwritable", QT_TRANSLATE_NOOP("Sentences", "Cannot write {file}: {reason}")},
        {"template.no-name", QT_TRANSLATE_NOOP("Sentences", "A template needs a name.")},
        {"template.exists",
            QT_TRANSLATE_NOOP("Sentences", "A template called {name} already exists; choose another name.")},
        {"template.no-folder", QT_TRANSLATE_NOOP("Sentences", "The folder of templates {folder} does not exist.")},
        {"template.too-many",
            QT_TRANSLATE_NOOP("Sentences", "{folder} has more than {limit} templates; the others are not shown.")},
        {"template.unreadable", QT_TRANSLATE_NOOP("Sentences", "{file} cannot be read as a job; see its line {line}.")},
        {"import.too-large",
            QT_TRANSLATE_NOOP(
                "Sentences", "{url} is larger than {limit} bytes; a job is far smaller, so it was not fetched.")},
        {"import.unreachable", QT_TRANSLATE_NOOP("Sentences", "Cannot fetch {url}: {reason}")},
        {"import.incomplete",
            QT_TRANSLATE_NOOP("Sentences", "Cannot fetch {url}: the connection ended after {bytes} of {size} bytes.")},
        {"import.status", QT_TRANSLATE_NOOP("Sentences", "Cannot fetch {url}: the server answers {status} {reason}.")},
        {"import.timeout", QT_TRANSLATE_NOOP("Sentences", "Cannot fetch {url}: no answer in {seconds} seconds.")},
        {"import.web-page",
            QT_TRANSLATE_NOOP(
                "Sentences", "{url} is a web page, not a job. On a page of code, drop the link of its raw text.")},
        {"import.nothing", QT_TRANSLATE_NOOP("Sentences", "The clipboard contains no text.")},
    };
    return rows;
}

} // namespace trainyard::sentences
