// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamldocument.h"

#include <QByteArray>
#include <QList>

namespace trainyard
{

// The positions at which a text shows the value of a secret or the password of a registry login, for code that draws
// the text on a screen; sorted, none inside another. In a text that cannot be read to its end, it works by lines and
// covers too much rather than too little: from the colon of a key below 'secrets', or of a 'password', to the end of
// the line.
QList<ByteRange> secretRangesIn(const YamlDocument &document);

// The text to be shown, never to be kept: each byte of such a value is "*", so that all positions stay what they are.
// What a command repeats of a secret is hidden as well, if it is long enough not to be an ordinary word.
QByteArray withHiddenSecrets(const YamlDocument &document);

// The text to be shown beside that of a run, which is masked: or all of its secrets would look changed.
QByteArray shownBesideRun(const QByteArray &bytes);

// Two forms of one text to be shown side by side: values are masked in both. A value that differs from the other form's
// is followed by `mark` in the newer one, so that the change is seen and the value is not.
struct ShownTexts {
    QByteArray older, newer;
};
ShownTexts shownForComparison(const QByteArray &older, const QByteArray &newer, const QByteArray &mark);

} // namespace trainyard
