// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlpath.h"
#include "widgets/common/labels.h"

#include <QHash>

QT_BEGIN_NAMESPACE
class QCheckBox;
QT_END_NAMESPACE

namespace trainyard
{

class ChainField;
class CheckField;
class ChoiceField;
class CommandsField;
class Disclosure;
class FormContext;
class FormField;
class FormGrid;
class HostsFields;
class NumberBox;
class NumberField;
class PortsField;
class KeyNameField;
class TextField;
class ValuesTable;
class WordField;

// All fields of one task role. One card serves every role: it is pointed at another one by setRole(). Large
// because each field of a role is made, laid out, filled and connected here.
class RoleCard : public Ground
{
    Q_OBJECT
public:
    explicit RoleCard(FormContext *context, QWidget *parent = nullptr);
    void setRole(const QString &role); // may be empty: no roles
    QString role() const { return m_role; }
    void refresh(); // what the fields do not do themselves
    void focusName();

Q_SIGNALS:
    void renamed(const QString &from, const QString &to);
    void imageWanted(const QString &role); // a new one, for the role

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    // OpenPAI's unit: what a job gets with each GPU when it does not say otherwise.
    static constexpr qint64 cpuPerGpu = 4;
    static constexpr qint64 memoryPerGpu = 8192;
    YamlPath base() const;
    void updateResources();
    void updateCompletion();
    void updateMore();
    void setFollow(bool follow);
    qint64 number(const YamlPath &path, qint64 fallback) const;

    FormContext *m_context;
    QString m_role;
    KeyNameField *m_name;
    NumberField *m_instances;
    ChoiceField *m_image;
    WordField *m_runIn;
    QLabel *m_runInHint;
    NumberField *m_gpu;
    NumberField *m_cpu;
    NumberField *m_memory;
    QLabel *m_gpuMost;
    QCheckBox *m_follow;
    HostsFields *m_hosts;
    CommandsField *m_commands;
    PortsField *m_ports;
    ChainField *m_chain;
    NumberField *m_failed;
    NumberField *m_succeeded;
    ElidedLabel *m_imageSource;
    QLabel *m_failedHead; // the words before the number
    ElidedLabel *m_failedWords;
    ElidedLabel *m_succeededWords;
    QLabel *m_consequence;
    Disclosure *m_more;
    FormField *m_retries;
    FormField *m_shared;
    QList<std::pair<FormField *, QStringList>> m_rows; // made from the field reference, with their keys in the role
    FormGrid *m_moreGrid;
    QList<FormField *> m_scheduling; // rows of a scheduler that few jobs name
    NumberField *m_protocol;
    ValuesTable *m_container;
    ValuesTable *m_others;
    QHash<QString, bool> m_ownRatio; // roles whose user said "do not follow"
};

} // namespace trainyard
