// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/controllers/secretsaving.h"

#include "app/gui/askbox.h"
#include "app/gui/controllers/secrets.h"
#include "engine/client/secretmemory.h"
#include "model/base/utf8.h"
#include "model/protocol/jobdocument.h"
#include "widgets/common/style.h"
#include "widgets/form/designerpage.h"

#include <QFile>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QWidget>

#include <algorithm>

namespace trainyard
{
namespace
{

QStringList namesIn(const QByteArray &text)
{
    QStringList names;
    const QList<SecretValue> values = secretValuesIn(YamlDocument::parse(text));
    for (const SecretValue &value : values) {
        names.append(value.name);
    }
    names.removeDuplicates();
    return names;
}

// Those of these secrets that are maps or lists, which a keyring does not hold.
QStringList mapsAmong(const QStringList &names, const QByteArray &text)
{
    const YamlDocument document = YamlDocument::parse(text);
    QStringList maps;
    for (const QString &name : names) {
        const YamlNode *node = document.find(YamlPath{QStringLiteral("secrets"), name});
        if (node && node->resolved()->kind != YamlNode::Kind::Scalar) {
            maps.append(name);
        }
    }
    return maps;
}

QString jobNameIn(const YamlDocument &document)
{
    const YamlNode *node = document.find(YamlPath{QStringLiteral("name")});
    return node && node->kind == YamlNode::Kind::Scalar ? textFromUtf8(node->scalar) : QString();
}

// The values that Run can ask for once they are out of the text: those that are one text each.
SecretVault::Values askedValues(const QByteArray &text)
{
    SecretVault::Values asked;
    const YamlDocument document = YamlDocument::parse(text);
    const QList<SecretValue> values = secretValuesIn(document);
    for (const SecretValue &value : values) {
        const YamlNode *node
            = value.name.isEmpty() ? nullptr : document.find(YamlPath{QStringLiteral("secrets"), value.name});
        if (node && node->resolved()->kind == YamlNode::Kind::Scalar) {
            asked.insert(value.name, textFromUtf8(node->resolved()->scalar));
        }
    }
    return asked;
}

QStringList namesInFile(const QString &path)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || file.size() > maxCheckedBytes || !file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return namesIn(file.read(maxCheckedBytes));
}

} // namespace

SecretSaving::SecretSaving(Secrets *secrets, QWidget *window)
    : QObject(window), m_window(window), m_secrets(secrets) { }

void SecretSaving::ask(DesignerPage *designer, const QString &path, const std::function<void()> &save)
{
    const QByteArray text = designer->bytes(true);
    QStringList names = text.size() > maxCheckedBytes ? QStringList() : namesIn(text);
    if (!names.isEmpty()) {
        const QStringList before = namesInFile(path);
        names.removeIf([&before](const QString &name) { return before.contains(name); });
    }
    if (names.isEmpty()) {
        save();
        return;
    }
    // A password that is not a secret yet has no name that the keyring could keep it by.
    const bool areNamed = !names.contains(QString());
    names.removeAll(QString());
    const QStringList maps = mapsAmong(names, text);
    const bool canMove = areNamed && maps.size() < names.size() && m_secrets->vault() && m_secrets->vault()->isThere();
    const QString file = QFileInfo(path).fileName();
    const QString what = names.isEmpty() ? tr("A password would be stored in %1 in clear.").arg(file)
        : names.size() == 1 ? tr("The value of the secret %1 would be stored in %2 in clear.").arg(names.first(), file)
                            : tr("The values of the secrets %1 would be stored in %2 in clear.")
                                  .arg(names.join(QStringLiteral(", ")), file);
    const bool isOne = names.size() < 2;
    QString detail
        = isOne ? tr("Everyone who gets the file could read it.") : tr("Everyone who gets the file could read them.");
    if (canMove) {
        detail += QLatin1Char(' ')
            + (isOne ? tr("In this desktop's keyring only you can, and Run finds it there.")
                     : tr("In this desktop's keyring only you can, and Run finds them there."));
    }
    const bool canRemember = maps.size() < names.size() && !jobNameIn(YamlDocument::parse(text)).isEmpty();
    detail += QLatin1Char(' ')
        + (!canRemember
                ? isOne ? tr("Without the value, Run asks for it.") : tr("Without the values, Run asks for them.")
                : isOne ? tr("Without the value in the file, this window remembers it until Trainyard is closed; after "
                             "that, Run asks for it.")
                        : tr("Without the values in the file, this window remembers them until Trainyard is closed; "
                             "after that, Run asks for them."));
    if (canMove && !maps.isEmpty()) {
        detail += QLatin1Char(' ')
            + (maps.size() == 1
                    ? tr("A keyring cannot hold %1, which is a map or a list: its values would stay in the file in "
                         "clear.")
                    : tr("A keyring cannot hold %1, which are maps or lists: their values would stay in the file in "
                         "clear."))
                  .arg(maps.join(QStringLiteral(", ")));
    }
    QMessageBox::StandardButtons buttons = QMessageBox::Save | QMessageBox::Ignore | QMessageBox::Cancel;
    buttons.setFlag(QMessageBox::SaveAll, canMove);
    QMessageBox *box = makeAskBox(m_window, what, detail, buttons);
    box->setObjectName(QStringLiteral("secretsInFileBox"));
    box->button(QMessageBox::Save)->setText(tr("Save without values"));
    box->button(QMessageBox::Ignore)->setText(tr("Save with values"));
    if (canMove) {
        box->button(QMessageBox::SaveAll)
            ->setText(maps.isEmpty() ? tr("Move to keyring and save") : tr("Move the rest to keyring and save"));
    }
    // The choices that leave no value in clear.
    const auto best = canMove && maps.isEmpty() ? QMessageBox::SaveAll : QMessageBox::Save;
    setButtonKind(box->button(best), ButtonKind::Primary);
    box->setDefaultButton(best);
    box->setEscapeButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::buttonClicked, designer, [this, box, designer, names, save](QAbstractButton *button) {
        const auto answer = box->standardButton(button);
        if (answer == QMessageBox::SaveAll) {
            designer->moveSecrets(names, save);
        } else if (answer == QMessageBox::Save) {
            remember(designer->bytes(true));
            designer->takeSecretsOut();
            save();
        } else if (answer == QMessageBox::Ignore) {
            save();
        }
    });
    box->open();
}

// A user who has just typed a value is not asked for it again at once.
void SecretSaving::remember(const QByteArray &text)
{
    const QString job = jobNameIn(YamlDocument::parse(text));
    const SecretVault::Values values = askedValues(text);
    if (!job.isEmpty() && !values.isEmpty()) {
        m_secrets->memory()->remember(job, values);
    }
}

} // namespace trainyard
