// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/gitaddress.h"

#include "model/base/utf8.h"
#include "model/template/pluginsteps_p.h"
#include "model/template/tags.h"

#include <QRegularExpression>

namespace trainyard
{

using namespace Qt::StringLiterals;

namespace
{

constexpr QChar secretTag(0xE000); // stand for a reference, and are in no text that people write
constexpr QChar otherTag(0xE001);

// The text with each reference as one sign.
QString withoutTags(const QString &written)
{
    const Result<QList<TemplateTag>> tags = templateTags(written);
    if (!tags) {
        return written;
    }
    QString text;
    qsizetype from = 0;
    for (const TemplateTag &tag : *tags) {
        text += written.mid(from, tag.begin - from);
        text += templateReference(tag.key).scope == "$secrets"_L1 ? secretTag : otherTag;
        from = tag.end;
    }
    return text + written.mid(from);
}

struct AddressParts {
    QString scheme, login, rest; // "https://", "user:password", "host/path"
    bool hasLogin = false;
};

AddressParts addressPartsOf(const QString &address)
{
    static const QRegularExpression shape(
        u"\\A\\s*([A-Za-z][A-Za-z0-9+.-]*://)([^/?#]*)(.*)\\z"_s, QRegularExpression::DotMatchesEverythingOption);
    const QRegularExpressionMatch match = shape.match(address);
    if (!match.hasMatch()) {
        return {{}, {}, address, false};
    }
    const QString authority = match.captured(2);
    const qsizetype at = authority.lastIndexOf(u'@');
    return {
        match.captured(1), authority.left(qMax<qsizetype>(at, 0)), authority.mid(at + 1) + match.captured(3), at >= 0};
}

// %2F is a slash; a percent sign that begins no number is itself.
QString decoded(const QString &text)
{
    QByteArray bytes = text.toUtf8();
    for (qsizetype i = 0; i + 2 < bytes.size(); ++i) {
        bool isNumber = false;
        const int value = bytes.at(i) == '%' ? bytes.mid(i + 1, 2).toInt(&isNumber, 16) : 0;
        if (isNumber && value > 0) {
            bytes.replace(i, 3, QByteArray(1, char(value)));
        }
    }
    return textFromUtf8(bytes);
}

// A request by http may be redirected to the same host by https.
QStringList serversOf(const QString &scheme, const QString &rest)
{
    static const QRegularExpression end(u"[/?#]"_s);
    const QString host = rest.left(rest.indexOf(end));
    QStringList servers{scheme + host};
    if (scheme.compare("http://"_L1, Qt::CaseInsensitive) == 0 && !host.contains(u':')) {
        servers.append(u"https://"_s + host);
    }
    return servers;
}

} // namespace

GitAddress splitGitAddress(const QString &filled, const QString &written)
{
    const QString shape = withoutTags(written.trimmed());
    const AddressParts wanted = addressPartsOf(shape);
    const bool isOneSecret = shape == QString(secretTag);
    AddressParts parts = addressPartsOf(filled.trimmed());
    // A password may have signs that end the part before the path: what follows it in the text of the job tells where
    // it ends.
    const QString known = wanted.rest.section(otherTag, -1).section(secretTag, -1);
    if (wanted.hasLogin && known == wanted.rest && filled.trimmed().endsWith(QString(u'@' + known))
        && filled.trimmed().startsWith(wanted.scheme)) {
        const QString whole = filled.trimmed();
        parts = {wanted.scheme, whole.mid(wanted.scheme.size(), whole.size() - wanted.scheme.size() - known.size() - 1),
            known, true};
    }
    GitAddress result;
    result.hasSecret = isOneSecret ? !parts.hasLogin : wanted.rest.contains(secretTag);
    if (!parts.hasLogin) {
        result.address = filled.trimmed();
        // A login was meant, and is not to be told from the path.
        result.hasSecret = result.hasSecret || wanted.login.contains(secretTag);
        return result;
    }
    const qsizetype colon = parts.login.indexOf(u':');
    const bool loginIsSecret = isOneSecret || wanted.login.contains(secretTag);
    if (parts.scheme.contains("ssh"_L1, Qt::CaseInsensitive)) {
        // ssh asks for a password itself, and takes none from an address.
        const qsizetype wantedColon = wanted.login.indexOf(u':');
        result.address = parts.scheme + parts.login.left(colon) + u'@' + parts.rest;
        result.hasSecret = result.hasSecret || wanted.login.left(wantedColon).contains(secretTag);
        return result;
    }
    if (colon < 0 && !loginIsSecret) {
        result.address = filled.trimmed(); // the name of a user, whose password git knows
        return result;
    }
    result.address = parts.scheme + parts.rest;
    result.login = GitLogin{decoded(parts.login.left(colon)),
        colon < 0 ? QString() : decoded(parts.login.mid(colon + 1)), serversOf(parts.scheme, parts.rest)};
    return result;
}

QList<GitOption> splitGitOption(const QString &filled, const QString &written)
{
    const QStringList words = shellWords(filled);
    const QStringList shapes = shellWords(withoutTags(written));
    const bool hasSecret = steps::namesSecret(written);
    QList<GitOption> options;
    for (qsizetype i = 0; i < words.size(); ++i) {
        // A value with blanks makes more words of one: then each may be a part of it.
        const bool isSame = shapes.size() == words.size();
        options.append({words.at(i), hasSecret && (!isSame || shapes.at(i).contains(secretTag))});
    }
    return options;
}

} // namespace trainyard
