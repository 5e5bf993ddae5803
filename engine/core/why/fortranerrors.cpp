// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/fortranerrors.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace trainyard::core
{

std::optional<OtherStack> fortranErrorAt(const QList<WhyLine> &lines, qsizetype index)
{
    constexpr qsizetype longestWords = 1000;
    constexpr QByteArrayView type = "Fortran runtime error";
    static const QRegularExpression place(u"\\AAt line (\\d+) of file (\\S+)"_s);
    if (index < 0 || !lines.at(index).words.startsWith(type)
        || !lines.at(index).words.sliced(type.size()).startsWith(": ")) {
        return std::nullopt;
    }
    OtherStack error;
    error.first = error.last = error.line = index;
    error.type = QString::fromUtf8(type);
    error.message = QString::fromUtf8(headOf(lines.at(index).words.sliced(type.size() + 2), longestWords)).trimmed();
    error.isUncaught = true;
    // The backtrace: "Error termination. Backtrace:", "#0  0x7f54f4e218c2 in ???".
    const auto isOfTrace = [&](QByteArrayView words) {
        return words.isEmpty() || words.startsWith("Error termination") || words.startsWith('#')
            || words.startsWith('\t');
    };
    while (error.last + 1 < lines.size() && isOfTrace(lines.at(error.last + 1).words)) {
        ++error.last;
    }
    if (index > 0 && lines.at(index - 1).stream == lines.at(index).stream) {
        const QRegularExpressionMatch above
            = place.match(QString::fromUtf8(headOf(lines.at(index - 1).words, longestWords)));
        if (above.hasMatch()) {
            error.own = WhyFrame{above.captured(2), {}, above.captured(1).toInt()};
        }
    }
    return error;
}

} // namespace trainyard::core
