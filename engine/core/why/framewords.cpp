// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/why/framewords.h"

#include <QRegularExpression>

namespace trainyard::core
{

using namespace Qt::StringLiterals;

bool opensToWrite(QByteArrayView source)
{
    constexpr qsizetype longestSource = 500;
    static const QRegularExpression writing(
        u"\\bopen\\([^()]*(?:\\([^()]*\\)[^()]*)*[,=]\\s*[bt]?['\"][rbt]*[wax][wb+t]*['\"]"
        "|\\.(?:write_text|write_bytes|touch)\\(|\\bmkdir\\("_s);
    return source.size() <= longestSource && writing.match(QString::fromUtf8(source)).hasMatch();
}

bool isOfServerClient(const QString &file)
{
    static const QRegularExpression client(
        u"[/\\\\](?:requests|urllib3|urllib|http|aiohttp|httpx|httpcore|botocore|huggingface_hub|s3fs|gcsfs|adlfs)[/\\\\]"_s);
    return client.match(file).hasMatch();
}

} // namespace trainyard::core
