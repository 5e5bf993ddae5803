// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/parameteredit.h"

using namespace Qt::StringLiterals;

namespace trainyard
{

namespace
{

// As all readers of YAML take it for a number: those of version 1.1 want a dot before an exponent.
QByteArray yamlNumber(const Value &value)
{
    QByteArray text = value.toText().toLatin1();
    const qsizetype exponent = text.indexOf('e');
    if (exponent > 0 && !text.contains('.') && !value.asBool()) {
        text.insert(exponent, ".0");
    }
    return text;
}

} // namespace

edit::Op parameterEdit(const QString &name, const Value &value)
{
    const YamlPath place{u"parameters"_s, name};
    if (const QString *text = value.asString()) {
        return edit::SetText{place, *text};
    }
    return edit::SetValue{place, yamlNumber(value)};
}

} // namespace trainyard
